"""What stands written in a film's pictures: found, read, and told apart from what merely looks like writing."""
