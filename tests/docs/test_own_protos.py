"""The example of docs/own-protos.md, put together and run as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

from support.processes import run_python
from toolwire.codegen import compile_protos

PAGE = Path(__file__).parent.parent.parent / "docs" / "own-protos.md"
BLOCKS = re.findall(r"^```text\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
TARGET = "127.0.0.1:50051"

SERVER = """
import grpc
from concurrent import futures
from acme.agent.v1 import agent_pb2, agent_pb2_grpc

class Agent(agent_pb2_grpc.AgentServiceServicer):
    def Choose(self, request, context):
        name = request.tools[0].function_declarations[0].name
        return agent_pb2.ChooseResponse(call={"name": name})

server = grpc.server(futures.ThreadPoolExecutor(1))
agent_pb2_grpc.add_AgentServiceServicer_to_server(Agent(), server)
port = server.add_insecure_port("127.0.0.1:0")
server.start()
"""


def test_the_example_does_what_it_says(tmp_path: Path) -> None:
    proto = next(block for block in BLOCKS if "package acme.agent.v1;" in block)
    client = next(block for block in BLOCKS if "agent_pb2_grpc" in block)
    path = tmp_path / proto.split(maxsplit=2)[1]
    path.parent.mkdir(parents=True)
    path.write_text(proto)
    protos = tmp_path / "protos"
    compile_protos([protos], tmp_path / "gen", include=[protos])
    program = tmp_path / "gen" / "program.py"
    assert TARGET in client
    program.write_text(SERVER + client.replace(f'"{TARGET}"', 'f"127.0.0.1:{port}"'))
    assert run_python(program) == (
        '{"tools":[{"functionDeclarations":[{"name":"weather"}]}],"text":"Paris"}\nweather\n'
    )
