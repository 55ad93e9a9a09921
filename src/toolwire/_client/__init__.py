"""The clients behind ``toolwire.client``.

The modules stand in layers, and only those of the last knows of gRPC types::

    _hosts, _names, _headers, _secrets                text and time; no messages
    _retry, _methods                                  what the descriptors say of a method
    _depth, _copies, _turns, _tools, _masks, _fields, _inputs   requests out of Python values
    _talk, _paging                                    what sessions and pages go by
    _fork, _identity, _shared, _tokens, _google, _http, _mtls   who calls
    _settings, _core                                  where a call goes and what it carries
    _details, _failures                               errors out of status codes
    _log, _prepared                                   a call from its arguments to its end
    _transcript, _loop                                what run_tools goes by
    _lines, _stream, _session, _pager, _calls, _run, _sync, _own     gRPC that blocks
    _async_..., each the twin of one of these                        gRPC in event loops
    _base, _dial, _interceptors, _rpc_errors                         what both have of gRPC
"""
