"""The tables of a project's database: each module holds the SQL of one or two."""
