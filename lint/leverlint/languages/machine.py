"""Variables that are not the program's own: what another variable is while only a lever is set.

Home directories are told as `~`, so that defaults below them can be compared; of what else a
machine or a build tool sets nothing is known. Anything besides is taken for unset.
"""

HOMES = frozenset({"HOME", "USERPROFILE"})
HOME = "~"

_SET_BY_MACHINES = frozenset(
    {
        *("PATH", "USER", "USERNAME", "LOGNAME", "SHELL", "PWD", "HOSTNAME", "LANG", "TERM", "TERM_PROGRAM"),
        *("TMPDIR", "TEMP", "TMP", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "SYSTEMROOT", "COMSPEC"),
        *("OUT_DIR", "TARGET", "HOST", "PROFILE", "NUM_JOBS", "OPT_LEVEL", "DEBUG", "RUSTC", "CARGO"),
        *("VIRTUAL_ENV", "CONDA_PREFIX", "CI", "LD_LIBRARY_PATH", "PYTHONPATH"),
    }
)


def is_set_by_machines(name: str) -> bool:
    """Say whether a variable has a value that the code does not tell."""
    return name in _SET_BY_MACHINES or name.startswith("CARGO_")
