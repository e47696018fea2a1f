"""Appends lines to a file, which it opens for each line, as shells do, or once ("hold"), as loggers do."""

import sys
import time

path, count, pause = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
held = open(path, "ab", buffering=0) if "hold" in sys.argv[4:] else None
print("appending", flush=True)
for number in range(count):
    line = b"appended-%06d\n" % number
    if held:
        held.write(line)
    else:
        with open(path, "ab", buffering=0) as file:
            file.write(line)
    if pause:
        time.sleep(pause)
print("done", flush=True)
