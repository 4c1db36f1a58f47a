"""Who sits where: players and their keys, confirming, passing a seat on."""
