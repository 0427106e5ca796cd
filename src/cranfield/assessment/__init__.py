"""Assessment: how people's judgements are asked for, collected and checked."""
