"""The paper's method: the dual bipartite graph autoencoder."""
