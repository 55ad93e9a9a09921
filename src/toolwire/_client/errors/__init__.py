"""What a call that failed says, and whether it is made again."""
