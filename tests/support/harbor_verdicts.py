"""What Harbor's validator says of all exports in a folder, as JSON: given its wheel and the folder."""
import json
import os
import sys
import types

wheel, folder = sys.argv[1:]
# the package itself imports everything that it can do, which needs dozens of packages
harbor = types.ModuleType("harbor")
harbor.__path__ = [os.path.join(wheel, "harbor")]
models = types.ModuleType("harbor.models")
models.__path__ = [os.path.join(wheel, "harbor", "models")]
sys.modules.update({"harbor": harbor, "harbor.models": models})
sys.path.insert(0, wheel)

from harbor.utils.trajectory_validator import TrajectoryValidator  # noqa: E402

refused = []
valid = 0
for name in os.listdir(folder):
    validator = TrajectoryValidator()
    path = os.path.join(folder, name, "trajectory.json")
    if validator.validate(path):
        valid += 1
    else:
        refused.append([name, validator.get_errors()])
with open(path, encoding="utf-8") as file:
    document = json.load(file)
document["steps"][0]["step_id"] = 7
document["unknown"] = 1
is_broken = TrajectoryValidator().validate(document)
print(json.dumps({"valid": valid, "refused": refused, "broken": "taken" if is_broken else "refused"}))
