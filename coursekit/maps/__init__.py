"""Mind maps: the model, its files, what can be counted and compared, and drawings.

Start with :mod:`~coursekit.maps.mindmap`.
"""
