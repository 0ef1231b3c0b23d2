"""Captions: ``sources.py`` lists the formats of films' captions, ``tables.py`` reads those of pictures."""
