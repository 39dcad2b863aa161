"""Whose a family of variables is: the project's own, somebody else's, or a word that says nothing."""

import os
import re
from collections import Counter
from collections.abc import Iterable

_FEWEST = 3
"""Letters that an abbreviation must have."""

_NAME = r"""(?m)^[ \t]*name[ \t]*=[ \t]*["']([\w.-]+)["']"""

# fmt: off
FOREIGN = frozenset((
    "ANTHROPIC", "APPDATA", "APPVEYOR", "ASCEND", "AWS", "AXOUPDATER", "AZURE", "BUILDKITE", "CARGO",
    "CC", "CFLAGS", "CHROME", "CI", "CIRCLE", "CLAUDE", "CLICOLOR", "CMAKE", "COLAB", "COLORTERM",
    "CONDA", "CUBLAS", "CUDA", "CUDNN", "CUTE", "CUTLASS", "CXX", "CXXFLAGS", "DATABRICKS", "DBUS",
    "DEP", "DISPLAY", "DJANGO", "DOCKER", "DYLD", "EDITOR", "FLASHINFER", "FLASK", "GCP", "GIT",
    "GITHUB", "GITLAB", "GLOO", "GOOGLE", "GPG", "GRPC", "GUNICORN", "HADOOP", "HF", "HIP", "HIPBLASLT",
    "HOME", "HOMEBREW", "HOMEDRIVE", "HOMEPATH", "HOST", "HOSTNAME", "HSA", "HTTP", "HTTPS",
    "HUGGINGFACE", "INVOCATION", "JAVA", "JAX", "JENKINS", "JUPYTER", "KAGGLE", "KERAS", "KEYRING",
    "KMP", "KUBERNETES", "LANG", "LC", "LD", "LIBPATH", "LIBRARY", "LLVM", "LOCALAPPDATA", "LOGNAME",
    "MAKE", "MAKEFLAGS", "MASTER", "MATPLOTLIB", "MIOPEN", "MKL", "MLFLOW", "MOONCAKE", "MPI", "MPICH",
    "MPLBACKEND", "MSYSTEM", "MUSA", "NCCL", "NIX", "NO", "NODE", "NPM", "NSYS", "NUMBA", "NUMEXPR",
    "NVIDIA", "NVTE", "OMP", "OMPI", "OPENAI", "OPENBLAS", "OPENCV", "OPT", "OS", "OTEL", "OTLP", "OUT",
    "PAGER", "PATH", "PATHEXT", "PG", "PGHOST", "PIP", "PKG", "PMI", "POD", "POETRY", "POSTGRES",
    "PROFILE", "PROGRAMDATA", "PROGRAMFILES", "PROXY", "PWD", "PYC", "PYCHARM", "PYTEST", "PYTHON",
    "PYTHONPATH", "PYTORCH", "RANK", "RAY", "RCCL", "READTHEDOCS", "REDIS", "ROCM", "ROCR", "RUST",
    "RUSTC", "RUSTDOC", "RUSTDOCFLAGS", "RUSTFLAGS", "RUSTUP", "SAGEMAKER", "SCCACHE", "SENTRY",
    "SHELL", "SLURM", "SNAP", "SPHINX", "SSH", "SSL", "SUDO", "SYSTEMROOT", "TARGET", "TEAMCITY",
    "TEMP", "TENSORFLOW", "TERM", "TERMINAL", "TERMINFO", "TF", "TMP", "TMPDIR", "TMUX", "TOKENIZERS",
    "TORCH", "TORCHELASTIC", "TORCHINDUCTOR", "TOX", "TPU", "TRANSFORMERS", "TRAVIS", "TRITON",
    "TRTLLM", "TVM", "TZ", "USER", "USERNAME", "USERPROFILE", "UVICORN", "VCPKG", "VERGEN", "VIRTUAL",
    "VISUAL", "VLLM", "VSCODE", "WANDB", "WINDIR", "WINDOWS", "WORLD", "WSL", "WT", "XDG", "XLA", "XPU",
    "ZDOTDIR",
))
"""Beginnings of variables that belong to a tool, a library or the system."""

WORDS = frozenset((
    "ALL", "API", "APP", "ASCII", "BASE", "BATCH", "BENCH", "BINARY", "BLOCK", "BUILD", "BUILDING",
    "CACHE", "CFG", "CHECK", "CONFIG", "CORS", "DATA", "DATABASE", "DB", "DEBUG", "DEFAULT", "DEVICE",
    "DISABLE", "DUMP", "EMBEDDING", "ENABLE", "END", "ENV", "EXPECTED", "EXTERNAL", "FAST", "FILE",
    "FORCE", "GLOBAL", "GPU", "GROUP", "HAS", "INPUT", "INSTALL", "INT", "INTERNAL", "IS", "JSON",
    "KEEP", "KEY", "KV", "LIMIT", "LOAD", "LOCAL", "LOG", "LORA", "MAX", "METRICS", "MIN", "MIXED",
    "MODEL", "MODELS", "MY", "NEW", "NOT", "NUM", "OLD", "ONLY", "OUTPUT", "PAYLOAD", "PORT", "PRE",
    "PREFILL", "PREFIX", "PROMETHEUS", "REQUEST", "REVISION", "ROOT", "ROPE", "RUN", "SAVE", "SCALE",
    "SEED", "SERVER", "SERVICE", "SET", "SHARD", "SKIP", "SMOKE", "SORTED", "START", "STATE", "STATUS",
    "STREAM", "SYSTEM", "TEST", "THE", "THINK", "TIMEOUT", "TOKENIZER", "TRACE", "UINT", "USAGE", "USE",
    "UTF8", "VALIDATION", "VERBOSE", "WAIT", "WARMUP", "WATERMARK", "WEIGHTS", "WITH",
))
"""Beginnings that many projects share: as a prefix they would catch what is none of the levers."""
# fmt: on


def names(root: str, crates: Iterable[str]) -> tuple[str, ...]:
    """Give what a project may be called, as variables would spell it, the most likely first."""
    stated = [name for manifest in ("pyproject.toml", "Cargo.toml") if (name := _stated(root, manifest))]
    # `polars-core` and `polars-io` are parts of `polars`; crates of test data share names by chance.
    families = Counter(crate.replace("-", "_").partition("_")[0] for crate in crates)
    shared = [name for name, count in families.most_common() if count > 1 and count >= families.total() / 5]
    found = dict.fromkeys(map(_spelt, (*stated, os.path.basename(root), *_packages(root), *shared)))
    return tuple(name for name in found if len(name) > 1)


def own(stem: str, names: Iterable[str]) -> str:
    """Say why a family is the project's own, as a phrase; nothing when it does not seem so.

    `stem` is the family's beginning without the underscore at its end.
    """
    word = stem.strip("_")
    for name in names:
        shown = name.lower().replace("_", "-")
        if word in (name, name.replace("_", "")):
            return f"the project is called `{shown}`"
        initials = "".join(part[0] for part in name.split("_"))
        if len(word) >= _FEWEST and word == initials:
            return f"the initials of `{shown}`"
        if len(word) >= _FEWEST and name.startswith(word):
            return f"the beginning of `{shown}`"
    return ""


def _spelt(name: str) -> str:
    return re.sub(r"[^A-Z0-9]+", "_", name.upper()).strip("_")


def _stated(root: str, manifest: str) -> str:
    """Give the first name in a manifest: of the project or package."""
    try:
        with open(os.path.join(root, manifest), "rb") as file:
            match = re.search(_NAME, file.read().decode("utf-8", "replace"))
    except OSError:
        return ""
    return match[1] if match else ""


def _packages(root: str) -> list[str]:
    """Give the packages of Python at the top of a project, or in its `src`."""
    found = []
    for directory in (root, os.path.join(root, "src")):
        try:
            entries = sorted(os.listdir(directory))
        except OSError:
            continue
        found += [name for name in entries if os.path.isfile(os.path.join(directory, name, "__init__.py"))]
    return [name for name in found if name not in ("tests", "test", "docs", "examples", "scripts", "tools")]
