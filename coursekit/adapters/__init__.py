"""The games for programs that learn: for PettingZoo, Gymnasium and OpenSpiel.

Each module needs the library that it is named after (the extra ``rl``); nothing else of the kit
imports them. :mod:`.encoder` turns observations and actions into numbers for all three.
"""
