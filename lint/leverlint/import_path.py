"""Importing nothing from the tree that is checked.

`python -m` and an empty entry of `PYTHONPATH` put the working directory among the places that
modules come from. It is the tree of somebody else, as a rule: a `json.py` in it must not run.
"""

import os


def without_here(path: list[str]) -> list[str]:
    """Give the places that modules may come from: all but the working directory.

    It stays where leverlint itself lies in it.
    """
    here = os.getcwd()
    if os.path.dirname(os.path.dirname(os.path.abspath(__file__))) == here:
        return path
    return [entry for entry in path if os.path.abspath(entry) != here]
