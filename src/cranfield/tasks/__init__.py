"""Tasks: single-label classification (`classes`) and search (`retrieval`)."""
