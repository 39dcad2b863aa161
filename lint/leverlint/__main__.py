"""The entry point. It imports as little as it can, because `--version` should cost nothing."""

import sys


def main() -> int:
    if sys.argv[1:] in (["--version"], ["-V"]):
        from leverlint import __version__

        print(f"leverlint {__version__}")
        return 0
    from leverlint.import_path import without_here

    sys.path[:] = without_here(sys.path)
    try:
        from leverlint.cli import main

        return main()
    except KeyboardInterrupt:  # while still importing
        return 130


if __name__ == "__main__":
    sys.exit(main())
