#!/usr/bin/env bash
# Starts an image, lets its browser take a text, and ends it: .github/check_container.sh <image>
set -euo pipefail
image=$1
token=try-this-container

code=0
docker run --rm "$image" >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ] || { echo "without a token it ended with $code instead of 2"; exit 1; }

name=$(docker run --detach --network host --env "COMPUTER_CONTROL_TOKEN=$token" "$image")
trap 'docker logs "$name"; docker rm --force "$name" >/dev/null' EXIT
curl --silent --show-error --fail --retry 60 --retry-delay 1 --retry-all-errors http://127.0.0.1:4242/healthz
deno run -A --no-config tools/container/try_browser.ts http://127.0.0.1:4242 "$token" container.png
docker stop --time 30 "$name" >/dev/null
code=$(docker inspect --format '{{.State.ExitCode}}' "$name")
[ "$code" -eq 0 ] || { echo "after SIGTERM it ended with $code instead of 0"; exit 1; }
echo "$image works"
