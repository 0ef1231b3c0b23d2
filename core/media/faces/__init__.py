"""Faces: found, cut out, embedded, joined to tracks."""
