"""Keep or Swap: one card each; keep it, or swap it with the pile; the highest card wins."""
