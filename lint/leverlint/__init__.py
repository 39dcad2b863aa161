"""leverlint: every read of an environment-variable lever, and where it is not resolved once."""

__version__ = "0.1.0"
