"""Jobs: runs waiting to be scored, workers that score them, and the scores."""
