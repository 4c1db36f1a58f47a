"""A game in one file, for a second moderator."""
