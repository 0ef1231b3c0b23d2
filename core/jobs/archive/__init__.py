"""Many films at once, on this machine's cores or on a cluster's."""
