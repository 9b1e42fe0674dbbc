"""The games without a server: pages in a folder or in one file; Python runs in the browser."""
