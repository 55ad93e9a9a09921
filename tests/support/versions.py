"""What older versions of what we stand on do otherwise."""

import grpc

IS_OLDER_GRPC = tuple(map(int, grpc.__version__.split(".")[:2])) < (1, 80)
"""Of these the tests meet 1.76, the oldest that is promised."""
