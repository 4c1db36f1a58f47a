"""All games at a glance: their facts and index, figures, the checkup, the moderator's digest."""
