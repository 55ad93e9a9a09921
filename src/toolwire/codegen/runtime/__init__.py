"""Modules that the generator copies, as they are, beside the code it generates."""
