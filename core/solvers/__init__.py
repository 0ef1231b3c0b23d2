"""The methods: the default, the paper's, and its baselines."""
