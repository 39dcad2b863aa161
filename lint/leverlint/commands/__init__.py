"""One module a subcommand, each with `configure(parser)`, which sets `run(arguments) -> exit code`."""
