"""Appends lines to a file, which it opens for each line, as shells and loggers do."""

import sys
import time

path, count, pause = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
print("appending", flush=True)
for number in range(count):
    with open(path, "a") as file:
        file.write("appended-%06d\n" % number)
    if pause:
        time.sleep(pause)
print("done", flush=True)
