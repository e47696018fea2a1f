"""Prints what the parser of prometheus-client reads at an address, as JSON."""

import json
import sys
from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families

with urlopen(sys.argv[1]) as answer:
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    text = answer.read().decode("utf-8")

print(json.dumps({
    family.name: {
        "type": family.type,
        "help": family.documentation,
        "samples": [[one.name, one.labels, one.value] for one in family.samples],
    }
    for family in text_string_to_metric_families(text)
}))
