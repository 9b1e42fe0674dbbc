"""A class on its own phones: one room of people and tables, without a server.

``coursekit.serve.room`` opens it to the network.
"""
