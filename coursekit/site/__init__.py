"""The games without a server: pages in a folder, or in one file, with Python in a worker of the
browser.
"""
