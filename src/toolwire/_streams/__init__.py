"""Streams of messages in files of any size: what ``toolwire.streams`` re-exports."""
