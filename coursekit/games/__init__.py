"""The games of the kit, a folder each: rules, what the table needs, and what comes after play."""
