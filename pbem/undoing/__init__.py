"""Taking runs back: what stays in force, playing decisions again, who has seen what."""
