"""Where a call goes: hosts, resource names, proxies. Text only."""
