"""A call from its settings to its end, as every transport makes it: no waiting, no sending."""
