"""Core: what everything else is made of.

Truths and runs with their ids and matrices; results, tables and charts as plain data; options,
progress and files that are replaced whole. `show` renders what stands here.
"""
