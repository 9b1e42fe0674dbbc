"""Wizard 巫師: predict exactly how many tricks you will win."""
