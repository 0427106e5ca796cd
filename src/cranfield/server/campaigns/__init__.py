"""Campaigns: tracks, phases, truths and licences, as `campaign.toml` and the collections say."""
