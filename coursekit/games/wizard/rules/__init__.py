"""The rules of Wizard."""
