"""Kinds of embeddings: projects and problems carry the kind of network that made their vectors.

Who works on vectors alone, such as a solver, finds here what is known of a kind. Of other kinds nothing is known.
"""

FACENET = "facenet-vggface2-aligned"  # faces aligned by their landmarks
FACENET_BARE = "facenet-vggface2"  # faces cut out by their bare boxes, as in the paper

# d by kind: vectors that are nearer are of one person, as published
SAME_PERSON_DISTANCES = {FACENET_BARE: 1.0}
