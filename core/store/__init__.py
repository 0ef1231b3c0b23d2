"""The insides of a project: database, log of decisions, files, runs. The front door is core/store/project.py."""
