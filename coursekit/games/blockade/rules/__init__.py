"""The rules of 文壇封鎖中."""
