"""Requests out of Python values, by what the descriptors say of a method."""
