"""An archive on disk: many projects, the films that are taken into them, and how far each is."""
