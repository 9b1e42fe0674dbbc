"""文壇封鎖中 on the table."""
