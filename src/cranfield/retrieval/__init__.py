"""Retrieval: topics and documents, what searches find, curves over ranks, and searches by concept."""
