#!/usr/bin/env bash
# Makes an image of one executable that needs nothing else: image_of.sh <executable> <name>
set -euo pipefail
program="${1##*/}"
tar -C "$(dirname "$1")" -c "$program" | podman import --quiet --change "ENTRYPOINT [\"/$program\"]" - "$2"
