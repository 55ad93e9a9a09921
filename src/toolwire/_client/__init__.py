"""The client behind ``toolwire.client``.

The modules stand in layers, and only the last one knows of gRPC types::

    _hosts, _names, _headers, _secrets, _bounded      text and time; no messages
    _methods (with _service)                          what the descriptors say of a method
    _copies, _turns, _inputs                          requests out of Python values
    _fork, _identity (with _google, _http)            who calls
    _settings, _core                                  where a call goes and what it carries
    _failures                                         errors out of status codes
    _lines, _stream, _calls, _sync                    gRPC
"""
