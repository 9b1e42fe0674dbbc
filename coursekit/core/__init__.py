"""The ground floor: the contract of a game, matches and their records, chance, strategies, errors."""
