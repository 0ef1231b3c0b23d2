"""Which question comes next, and why a face got its name."""
