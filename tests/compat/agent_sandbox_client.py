"""Calls what the official client of agent-sandbox has, and prints what came of it as JSON."""

import io
import json
import os
import sys

from k8s_agent_sandbox.exceptions import SandboxRequestError
from k8s_agent_sandbox.models import (
    SandboxDirectConnectionConfig,
    SandboxdInClusterConnectionConfig,
)
from k8s_agent_sandbox.sandbox import Sandbox

NAME = "ein Ordner/ünd 'so' 100%.bin"


class Cluster:
    """Stands for Kubernetes, which tells the address of a sandbox."""

    injected_api_client = None

    def __init__(self, host):
        self.host = host

    def get_sandbox(self, name, namespace):
        return {"status": {"podIPs": [self.host]}}


def open_sandbox(host, config):
    return Sandbox("claim", "sandbox", connection_config=config, k8s_helper=Cluster(host))


def status_of(work):
    try:
        return work()
    except SandboxRequestError as error:
        return error.status_code


def describe(entry, home):
    changed = os.stat(f"{home}/ein Ordner/{entry.name}").st_mtime
    same = abs(entry.modified.timestamp() - changed) < 0.002
    return [entry.name, entry.size, entry.type, same]


def try_files(files, home):
    small = bytes(range(256)) * 4
    large = bytes(range(251)) * 25_000
    found = {}
    files.write(NAME, small)
    found["read"] = files.read(NAME) == small
    files.write("ein Ordner/text", "Grüße\n")
    found["text"] = files.read("ein Ordner/text").decode()
    found["list"] = sorted(describe(entry, home) for entry in files.list("ein Ordner"))
    found["in the home"] = "ein Ordner" in [entry.name for entry in files.list(".")]
    files.write(NAME, io.BytesIO(large))
    received = io.BytesIO()
    found["received"] = files.read_to(NAME, received)
    found["large"] = received.getvalue() == large
    found["exists"] = [files.exists(NAME), files.exists("ein Ordner"), files.exists("none/x")]
    found["missing"] = status_of(lambda: files.read("none"))
    found["outside"] = status_of(lambda: files.read("../x", allow_unsafe_paths=True))
    return found


def main(host, port, home, token):
    legacy = open_sandbox(
        host,
        SandboxDirectConnectionConfig(
            api_url=f"http://{host}:{port}",
            extra_headers={"Authorization": f"Bearer {token}"} if token else {},
        ),
    )
    ran = legacy.commands.run("sh -c 'echo out; echo err >&2; exit 3'")
    late = legacy.commands.run("sleep 3600", command_timeout=5)
    found = {
        "ran": [ran.stdout, ran.stderr, ran.exit_code, ran.timed_out],
        "late": [late.exit_code, late.timed_out],
        "runtime": try_files(legacy.files, home),
    }
    if not token:
        config = SandboxdInClusterConnectionConfig(mode="in-cluster-pod-ip", rest_port=int(port))
        files = open_sandbox(host, config).files
        found["sandboxd"] = try_files(files, home)
        found["not empty"] = status_of(lambda: files.delete("ein Ordner"))
        files.delete(NAME)
        files.delete("ein Ordner", recursive=True)
        found["deleted"] = not files.exists("ein Ordner")
    print(json.dumps(found))


main(*sys.argv[1:])
