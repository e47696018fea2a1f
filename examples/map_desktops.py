"""Runs a task on many desktops of a warm pool (deploy/kubernetes/agent-sandbox): claim one, use it, give it back.

python3 map_desktops.py 3 8    8 tasks, 3 at a time
Needs `k8s-agent-sandbox` of PyPI, our Python client, access to the cluster (KUBECONFIG, or a pod of it) and the token
of the pool in COMPUTER_CONTROL_TOKEN. It runs where it reaches pods: in the cluster, with the label `desktop: client`.
"""

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from computer_control import ComputerControl
from k8s_agent_sandbox import SandboxClient
from k8s_agent_sandbox.models import SandboxInClusterConnectionConfig

NAMESPACE = os.environ.get("NAMESPACE", "default")
client = SandboxClient(connection_config=SandboxInClusterConnectionConfig(server_port=4242))


@contextmanager
def desktop(seconds=600):
    """A fresh desktop; should this program end early, the cluster removes it after that time."""
    sandbox = client.create_sandbox(warmpool="desktop", namespace=NAMESPACE, shutdown_after_seconds=seconds)
    try:
        token = os.environ["COMPUTER_CONTROL_TOKEN"]
        with ComputerControl(f"http://{sandbox.get_pod_ip()}:4242", token=token) as computer:
            yield computer
    finally:
        sandbox.terminate()


def task(number):  # yours: an agent, a test, a step of an evaluation
    with desktop() as computer:
        computer.bash.command(f"xterm -T task{number}", timeout=0)
        computer.display.wait(until={"window": {"title": f"task{number}"}})
        picture = computer.display.screenshot()
        return computer.bash.command("hostname")["output"].strip(), len(picture.data)


if __name__ == "__main__":
    at_once, tasks = int(sys.argv[1]), int(sys.argv[2])
    begun = time.perf_counter()
    with ThreadPoolExecutor(at_once) as threads:
        results = list(threads.map(task, range(tasks)))
    names = {name for name, _ in results}
    print(f"{len(results)} tasks on {len(names)} desktops in {time.perf_counter() - begun:.1f} s")
