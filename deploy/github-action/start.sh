#!/bin/bash
# Starts the service of this checkout with a virtual display, and tells the steps that follow where it
# is. It ends with the job.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d "${RUNNER_TEMP:-/tmp}/computer-control.XXXXXX")
log=$folder/service.log
timeout_s=120
service=

fail() {
  echo "::error title=Computer Control::$1"
  cat "$log" >&2 2>/dev/null || true
  [ -z "$service" ] || kill "$service" 2>/dev/null || true
  exit 1
}

[ "$(uname -s)" = Linux ] || fail "this action starts a virtual display, which only Linux has"

# the pinned version, where it is there already, else from npm
version=$(cat "$root/.dvmrc")
found=$(deno --version 2>/dev/null | sed -n 's/^deno \([0-9.]*\).*/\1/p') || true
deno=(deno)
[ "$found" = "$version" ] || deno=(npx -y --prefer-offline "deno@$version")
export DENO_NO_UPDATE_CHECK=1

if [ "$INSTALL" = true ]; then
  "${deno[@]}" run -A --no-config "$root/tools/setup.ts" --for start >"$log" 2>&1 ||
    fail "the packages for a display could not be installed"
fi

token=$(head -c 2048 /dev/urandom | tr -dc 'a-zA-Z0-9')
token=${token:0:48}
echo "::add-mask::$token"
(umask 077 && printf '%s\n' "$token" >"$folder/token")

# each line is one argument, so that nothing needs quotes
flags=()
while IFS= read -r flag; do
  [ -z "$flag" ] || flags+=("$flag")
done <<<"$SERVICE_FLAGS"

# the end of this step does not end it
(
  trap '' HUP
  exec "${deno[@]}" run -A "$root/main.ts" --port 0 --virtual-display "$DISPLAY_SIZE" \
    --token-file "$folder/token" --state-dir "$folder/state" "${flags[@]}"
) >"$log" 2>&1 </dev/null &
service=$!

until grep -q '^Found ' "$log"; do
  kill -0 "$service" 2>/dev/null || fail "the service did not start"
  [ "$SECONDS" -lt "$timeout_s" ] || fail "the service did not start within $timeout_s s"
  sleep 0.2
done
url=$(sed -n 's/^Address  *\(http[^ ]*\).*/\1/p' "$log" | head -n 1)

until displays=$(curl -sf -H "Authorization: Bearer $token" "$url/api/display/list"); do
  [ "$SECONDS" -lt "$timeout_s" ] || fail "the service has no display within $timeout_s s"
  sleep 0.2
done
display=$(sed -n 's/.*"display_num":1,[^}]*"name":"\(:[0-9]*\)".*/\1/p' <<<"$displays" | head -n 1)
[ -n "$display" ] || fail "the service has no display: see its log"

{
  echo "COMPUTER_CONTROL_URL=$url"
  echo "COMPUTER_CONTROL_TOKEN=$token"
  echo "DISPLAY=$display"
} >>"$GITHUB_ENV"
{
  echo "url=$url"
  echo "token=$token"
  echo "display=$display"
  echo "log=$log"
} >>"$GITHUB_OUTPUT"
echo "The service is at $url, with the display $display; its log is $log"
