"""One generative model of persons, their faces and the captions that name them: the default for our own embedder."""
