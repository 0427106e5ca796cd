"""Submissions: uploads become runs, within quota and deadline."""
