"""The campaign server: groups submit runs, workers score them, pages publish the results.

A campaign is a folder. `campaign.toml` says what it is, `tracks/` holds collections, which are
never served, and what groups may download; `var/` is what the server itself keeps. Pages show the
same results as the command line, through `show` and `reports`.
"""
