"""The ground floor: a game's contract, matches and their records, chance, strategies and errors."""
