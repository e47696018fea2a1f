#!/usr/bin/env bash
# Starts an executable, calls it with curl, and ends it: .github/check_executable.sh <program> <kind>
set -euo pipefail
program=$1
kind=$2
port=${PORT:-4299}
here=$(pwd -W 2>/dev/null || pwd) # D:/a on Windows
base=http://127.0.0.1:$port

"$program" --version | tee /dev/stderr | grep -F "($kind" >/dev/null
"$program" --port "$port" --no-setup &
pid=$!
trap 'kill "$pid" 2>/dev/null || true' EXIT
curl --silent --show-error --fail --retry 60 --retry-delay 1 --retry-all-errors "$base/healthz"
# 503 until its display is open
curl --silent --show-error --fail --retry 60 --retry-delay 1 "$base/docs" | grep >/dev/null swagger-ui
curl --silent --show-error --fail "$base/docs/swagger-ui-bundle.js" | grep >/dev/null SwaggerUI
curl --silent --show-error --fail "$base/openapi.json" | grep >/dev/null '"openapi":"3.1.0"'
curl --silent --show-error --fail "$base/api/system/info"
curl --silent --show-error --fail "$base/api/filesystem/search" \
  --header 'Content-Type: application/json' \
  --data "{\"root_path\": \"$here/.github\", \"pattern\": \"check_*\"}" | grep >/dev/null check_executable.sh
if [ -r "/proc/$pid/winpid" ]; then # the shell of Git for Windows: kill would not end it in order
  taskkill //F //T //PID "$(cat "/proc/$pid/winpid")"
else
  kill "$pid"
  wait "$pid"
fi
trap - EXIT
echo "$program works"
