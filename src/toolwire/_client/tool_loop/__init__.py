"""What ``run_tools`` goes by, of either kind: no waiting, no sending."""
