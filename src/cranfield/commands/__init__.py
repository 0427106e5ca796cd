"""Commands: functions of the library as things to run. Declared once, for every front end.

declaration   Command: a function, the functions that read its arguments, and what their
              signatures and docstrings say about parameters
inputs        functions that read arguments from files, shared by commands
catalogue     the list of all commands
"""
