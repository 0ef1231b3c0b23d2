"""Films: their frames, shots and the moments that are looked at."""
