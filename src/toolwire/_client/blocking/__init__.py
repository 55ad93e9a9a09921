"""The client of threads, over gRPC."""
