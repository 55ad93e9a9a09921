"""The clients behind ``toolwire.client``, in rooms.

A module imports from its own room, or from those above it.

========================  =========================================================================
this package              what all rooms need: headers, secrets kept out of sight, forks, gevent
``endpoints``             where a call goes: hosts, resource names, proxies
``credentials``           who calls: API keys, credentials of google.auth, client certificates
``errors``                what a call that failed says, and whether it is made again
``requests``              requests out of Python values, by what the descriptors say of a method
``calls``                 a call from its settings to its end, as every transport makes it
``tool_loop``             what ``run_tools`` goes by
``channels``              what both kinds of client need of gRPC
``blocking``, ``aio``     the client of threads, and its twin of event loops, module by module
========================  =========================================================================

Up to ``tool_loop`` nothing waits, sends or knows of gRPC, so that another transport can share it.
"""
