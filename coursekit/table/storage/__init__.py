"""Where matches are kept while people play: SQLite, or a file for each match in a browser."""
