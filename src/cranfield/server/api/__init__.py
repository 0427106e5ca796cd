"""The API: what pages do, for programs, with the same permissions."""
