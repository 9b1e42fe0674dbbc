"""A league: strategies of a class, a file each, play each other; each sits in a process of its own.

:func:`coursekit.league.tournament.play_league` plays one; ``coursekit league FOLDER`` is the command.
"""
