"""Appends lines to a file, which it opens for each line, as shells do."""

import sys
import time

path, count, pause = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
print("appending", flush=True)
for number in range(count):
    line = b"appended-%06d\n" % number
    with open(path, "ab", buffering=0) as file:
        file.write(line)
    if pause:
        time.sleep(pause)
print("done", flush=True)
