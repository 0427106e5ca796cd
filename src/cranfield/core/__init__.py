"""Core: what everything else is made of. Results, tables and charts as plain data, and progress.

Nothing here knows files, terminals or pages: `show` renders what stands here.
"""
