"""Starts the leverlint that came with the extension, with the libraries for the Python that runs this."""

import os
import sys


def main():
    libraries = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libs")
    major, minor = sys.version_info[:2]
    fitting = os.path.join(libraries, f"cp{major}{minor}")
    if not os.path.isdir(fitting):
        known = ", ".join(sorted(os.listdir(libraries)))
        return f"this Python is {major}.{minor}, the bundled leverlint is for {known}"
    sys.path.insert(0, fitting)
    from leverlint.__main__ import main as leverlint

    return leverlint()


if __name__ == "__main__":
    sys.exit(main())
