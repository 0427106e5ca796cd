"""Retrieval: topics and documents, curves over ranks, searches by concept."""
