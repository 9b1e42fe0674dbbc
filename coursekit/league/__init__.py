"""A league: strategies of a class, a file each, play each other, each in a process of its own.

``tournament.play_league`` plays one; ``coursekit league FOLDER`` is the command.
"""
