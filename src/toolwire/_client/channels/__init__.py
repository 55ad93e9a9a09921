"""What both kinds of client need of gRPC: channels, interceptors, its errors."""
