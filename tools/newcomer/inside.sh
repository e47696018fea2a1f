#!/usr/bin/env bash
# The part of newcomer.sh that runs in namespaces of its own: the first process there, with whose end all others end.
set -euo pipefail
root="$1"
mapfile -t network <"$2"
path="$3:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
homes="$4"
here="/srv/computer-control"

fail() {
  echo "newcomer: $*" >&2
  exit 1
}

mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs -o mode=755 none "$root/dev"
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 none "$root/dev/pts"
mount -t tmpfs -o mode=1777 none "$root/dev/shm"
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
mount -t tmpfs -o mode=1777 none "$root/tmp"
hostname newcomer
echo "127.0.0.1 newcomer" >>"$root/etc/hosts"

# With the folder as the root of its mounts, as on a computer: below chroot nobody may make namespaces of users.
as_newcomer='root="$1" user="$2" folder="$3" && shift 3 && cd "$root" && mount --rbind . . && cd "$root" &&
  pivot_root . . && umount -l . && cd "$folder" &&
  exec setpriv "--reuid=${user%:*}" "--regid=${user#*:}" --clear-groups "$@"'

# How a command of a newcomer begins: by whom, with what home, in which folder, and with nothing of this computer but
# its way to the network.
enter() {
  entered=(env -i "PATH=${path#:}" "HOME=$2" TERM=dumb NO_COLOR=1
    "${network[@]}" unshare --mount --propagation private sh -c "$as_newcomer" sh "$root" "${1/root/0:0}" "$3")
}

# The command of the README that begins so, as it stands there.
readme() {
  sed -nE "s/^(npx .* task $1)( .*)?\$/\\1/p" "$root$here/README.md" | head -n 1
}

# Processes here besides this script and what it asks with.
others() {
  local path line
  for path in "$root"/proc/[0-9]*; do
    case "${path##*/}" in 1 | "$BASHPID") continue ;; esac
    line="$( (tr '\0' ' ' <"$path/cmdline") 2>/dev/null)" || continue
    [ -z "$line" ] || echo "${path##*/} ${line%%$'\n'*}"
  done
}

# What Deno has fetched, as "packages bytes".
fetched() {
  local cache="$root$1/.cache/deno"
  [ -d "$cache/npm" ] || { echo "0 0" && return; }
  local count
  count="$(find "$cache/npm" -name package.json | sed "s#^$cache/npm/##" |
    grep -cE '^[^/]+/(@[^/]+/)?[^@/][^/]*/[0-9][^/]*/package\.json$' || true)"
  echo "$count $(du -sb "$cache/npm" | cut -f 1)"
}

megabytes() {
  echo "$((($1 + 500000) / 1000000)) MB"
}

seconds() {
  printf '%d.%d s' $(($1 / 1000)) $(($1 % 1000 / 100))
}

now() {
  date +%s%3N
}

# Starts the service by the README's command, and sets `service`, `address` and the milliseconds that it took, `ready`.
start_service() {
  local command began
  command="$(readme start)"
  [ -n "$command" ] || fail "README.md has no command that starts the service"
  enter "$1" "$2" "$here"
  : >"$log" # that of the start before says that it is ready
  began="$(now)"
  # shellcheck disable=SC2086 -- the command is several words
  "${entered[@]}" $command --port 0 >"$log" 2>&1 &
  service=$!
  until grep -q '^Found' "$log"; do
    kill -0 "$service" 2>/dev/null || { cat "$log" && fail "the service has ended"; }
    [ $(($(now) - began)) -lt 300000 ] || { cat "$log" && fail "the service does not start in 5 minutes"; }
    sleep 0.1
  done
  ready=$(($(now) - began))
  address="$(sed -nE 's/^Address +(http:[^ ]+).*/\1/p' "$log")"
}

# Ends the service as a system does that stops: by SIGTERM to the command of the README.
stop_service() {
  local began
  began="$(now)"
  kill -TERM "$service"
  while [ -n "$(others)" ]; do
    [ $(($(now) - began)) -lt 20000 ] || { others && cat "$log" && fail "processes are left 20 s after SIGTERM"; }
    sleep 0.1
  done
  wait "$service" || true
  grep -q ' stopping ' "$log" || { cat "$log" && fail "the service did not end in order"; }
  echo "Ended by SIGTERM in $(seconds $(($(now) - began))); no process is left"
}

try_start() {
  local user="$1" home="$2" packages bytes
  echo
  echo "$ $(readme start)    (as $user, in an empty home)"
  start_service "$user" "$home"
  grep -vE '^Download |^Task ' "$log" | cut -c 1-150 | sed 's/^/    /'
  read -r packages bytes <<<"$(fetched "$home")"
  echo "First start: $(seconds "$ready") to the banner; fetched: Deno itself $(megabytes "$(du -sb "$root$home/.npm" | cut -f 1)")," \
    "$packages packages $(megabytes "$bytes"), Debian packages $(debian_packages)"
  enter "$user" "$home" /
  "${entered[@]}" node /srv/ask.mjs "$address" || fail "the service does not do what it is asked"
  stop_service
  start_service "$user" "$home"
  echo "Second start: $(seconds "$ready") to the banner"
  stop_service
}

# Each package has brought what the table of programs looks for: a second setup finds nothing to do.
check_packages() {
  local again
  again="$("${entered[@]}" npx -y --prefer-offline "deno@$(cat "$root$here/.dvmrc")" task setup --for test 2>&1)" ||
    { echo "$again" && fail "the packages cannot be installed again"; }
  if again="$(grep '^Installing' <<<"$again")"; then
    fail "packages do not bring what the table says: $again"
  fi
}

debian_packages() {
  local count=0 bytes=0 path
  for path in "$root"/var/cache/apt/archives/*.deb; do
    [ -e "$path" ] || continue
    count=$((count + 1))
    bytes=$((bytes + $(stat -c %s "$path")))
  done
  echo "$count, $(megabytes "$bytes")"
}

try_tests() {
  local user="$1" home="$2" command files="" began code=0
  shift 2
  command="$(readme test)"
  [ -n "$command" ] || fail "README.md has no command that runs the tests"
  [ "$*" = all ] || files="$*"
  echo
  echo "$ $command $files    (as $user)"
  began="$(now)"
  enter "$user" "$home" "$here"
  # shellcheck disable=SC2086 -- several words
  "${entered[@]}" $command $files >"$logs/test.log" 2>&1 || code=$?
  if [ "$code" != 0 ]; then
    grep -vE '\.\.\. ok \(|^(Check|Download) ' "$logs/test.log" | tail -n 200
    fail "the tests fail, with exit code $code"
  fi
  grep -E '^(A test is ignored|Ignored:)' "$logs/test.log" | sort | uniq -c || true
  grep -E '^ok \| ' "$logs/test.log"
  check_packages
  local packages bytes
  read -r packages bytes <<<"$(fetched "$home")"
  echo "First tests: $(seconds $(($(now) - began))); $packages packages, $(megabytes "$bytes"); Debian packages $(debian_packages)"
}

logs="$(dirname "$root")"
log="$logs/start.log"
mkdir -p "$root$homes/first" "$root$homes/second"
try_start root "$homes/first"
if [ -n "$TESTS" ]; then try_tests root "$homes/first" "$TESTS"; fi
chown -R 1000:1000 "$root$homes/second"
echo "second:x:1000:1000::/home/second:/bin/bash" >>"$root/etc/passwd"
# a clone of its own
cp -a "$root$here" "$root$homes/second/" && here="$homes/second/computer-control"
chown -R 1000:1000 "$root$here"
try_start 1000:1000 "$homes/second"
if [ -n "$TESTS" ] && [ "$BOTH" = 1 ]; then try_tests 1000:1000 "$homes/second" "$TESTS"; fi
