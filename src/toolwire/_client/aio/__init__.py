"""The client of event loops, over gRPC: modules are the twins of their namesakes for threads.

``_exchange`` and ``_raw`` have none: they hide where grpc.aio behaves unlike gRPC for threads.
"""
