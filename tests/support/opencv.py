"""Best matches by OpenCV: reads lines `picture template`, writes one line of JSON for each."""
import json
import sys

import cv2

for line in sys.stdin:
    picture, template = (cv2.imread(path, cv2.IMREAD_COLOR) for path in line.split())
    scores = cv2.matchTemplate(picture, template, cv2.TM_CCOEFF_NORMED)
    _, best, _, (x, y) = cv2.minMaxLoc(scores)
    print(json.dumps({"x": x, "y": y, "score": best}))
