"""The people library: names with a few faces that projects gave, kept in the user's own data folder."""
