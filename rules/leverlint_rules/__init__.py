"""The rules that come with leverlint: one file a rule, named by the problem."""
