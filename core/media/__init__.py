"""From videos, pictures and captions to faces, names and groups."""
