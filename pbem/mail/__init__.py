"""Mail in and mail out: sources, reading, letters, the outbox, and the way to the server."""
