"""Calls what the official client of OSWorld's server has, and prints what came of it as JSON."""

import json
import sys

from desktop_env.controllers.python import PythonController

CONTENT = bytes(range(256)) * 8000


def main(host, home):
    controller = PythonController(host, 5000)
    controller.retry_interval = 0.1
    found = {"screenshot": controller.get_screenshot()[:8].hex()}
    found["platform"] = controller.get_vm_platform()
    found["size"] = controller.get_vm_screen_size()
    controller.execute_action({"action_type": "CLICK", "x": 60, "y": 40})
    controller.execute_action({"action_type": "TYPING", "text": "It's \"typed\" \\ by OSWorld: 50 %"})
    controller.execute_action({"action_type": "PRESS", "key": "enter"})
    controller.execute_action({"action_type": "MOVE_TO", "x": 70, "y": 80})
    position = "print(tuple(pyautogui.position()))"
    found["position"] = controller.execute_python_command(position)["output"].strip()
    found["python"] = controller.run_python_script("import sys\nprint('a')\nsys.exit(3)")
    found["bash"] = controller.run_bash_script("echo a; echo b >&2; exit 4", timeout=20)
    found["missing"] = controller.get_file(f"{home}/no such file")
    found["desktop"] = controller.get_vm_desktop_path()
    with open(f"{home}/ünd 'so'.bin", "wb") as file:
        file.write(CONTENT)
    found["file"] = controller.get_file(f"{home}/ünd 'so'.bin") == CONTENT
    tree = controller.get_vm_directory_tree(home)
    names = [each["name"] for each in tree["children"]]
    found["tree"] = [tree["type"], "ünd 'so'.bin" in names]
    print(json.dumps(found))


main(*sys.argv[1:])
