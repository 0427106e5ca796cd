"""What is left for commands about votes."""
