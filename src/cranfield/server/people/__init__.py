"""People and groups: accounts, invitations, tokens, and the log of everything that was changed."""
