"""The same with Ray above the pool: each actor takes tasks one by one, with a fresh desktop for each.

python3 ray_desktops.py 4 12    12 tasks by 4 actors
Needs `ray` and `k8s-agent-sandbox` of PyPI and our Python client where the actors run, and there KUBECONFIG (or a pod
of the cluster) and COMPUTER_CONTROL_TOKEN, the token of the pool (deploy/kubernetes/agent-sandbox).
"""

import os
import sys
import time

import ray
from ray.util import ActorPool


@ray.remote(num_cpus=0, max_restarts=3)  # a desktop has its own processors; Ray counts none for it
class Desktop:
    def __init__(self):
        from k8s_agent_sandbox import SandboxClient
        from k8s_agent_sandbox.models import SandboxInClusterConnectionConfig

        self.client = SandboxClient(connection_config=SandboxInClusterConnectionConfig(server_port=4242))

    def run(self, task, argument):
        from computer_control import ComputerControl

        namespace = os.environ.get("NAMESPACE", "default")
        sandbox = self.client.create_sandbox(warmpool="desktop", namespace=namespace, shutdown_after_seconds=600)
        try:
            token = os.environ["COMPUTER_CONTROL_TOKEN"]
            with ComputerControl(f"http://{sandbox.get_pod_ip()}:4242", token=token) as computer:
                return task(computer, argument)
        finally:
            sandbox.terminate()


def task(computer, number):  # yours
    computer.mouse.left_click(640, 400)
    return number, computer.bash.command("hostname")["output"].strip(), len(computer.display.screenshot().data)


if __name__ == "__main__":
    ray.init(include_dashboard=False, log_to_driver=False)
    pool = ActorPool([Desktop.remote() for _ in range(int(sys.argv[1]))])
    begun = time.perf_counter()
    results = list(pool.map_unordered(lambda actor, n: actor.run.remote(task, n), range(int(sys.argv[2]))))
    names = {name for _, name, _ in results}
    print(f"{len(results)} tasks on {len(names)} desktops in {time.perf_counter() - begun:.1f} s")
