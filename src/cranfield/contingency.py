"""Contingency: how often each true class and each class that a system said come together."""
