"""The inspector: clients of running programs, and the server of the page that shows them.

sockets finds programs, connection asks one. database keeps the commits of stores, states makes the
state after any of them, and record is both for one store. live and log_file are sources of records:
a program that runs, and a log. api answers what the page asks of a source, and server serves both.

It uses only what the package offers to any program.
"""
