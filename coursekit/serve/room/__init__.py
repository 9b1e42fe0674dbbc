"""The two doors of a class on its own phones: the teacher's console, and the room on the school's
network.
"""
