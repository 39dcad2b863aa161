"""The language server: what editors are told about the levers of a project.

It knows the protocol, and neither a rule nor a syntax: a language or a rule that is added shows
in every editor without a change here. Everything that looks into a project runs in one thread
of its own, in the order in which the client has asked.
"""
