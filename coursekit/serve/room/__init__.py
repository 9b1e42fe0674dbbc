"""The servers of a class on its own phones: the teacher's pages, and the room for phones."""
