#!/usr/bin/env bash
# Tries both commands of the README as somebody does who has never seen this repository: a fresh clone on the smallest
# Debian, with Node and npm and nothing else, an empty home and an empty cache. Needs root on Debian.
#
#   tools/newcomer.sh                     start, click, picture, stop; a part of the tests; the same as a plain user
#   tools/newcomer.sh --tests "a_test.ts b_test.ts"    these tests instead
#   tools/newcomer.sh --all               all tests of the README's command, as root
#   tools/newcomer.sh --all --both        also as the plain user
#   tools/newcomer.sh --crowded           where pyenv and nvm come first in PATH, and HOME is not what the system says
#   tools/newcomer.sh --tests ""          no tests
#   tools/newcomer.sh --keep              leaves the folder, to look at it
#
# The system is a folder made by debootstrap from the mirror that this computer uses (kept as an archive in
# ~/.cache/computer-control/newcomer), with this computer's own node and npm copied into it. Everything runs in mount,
# process and IPC namespaces of its own: whatever fails, nothing is left mounted or running, and nothing but that
# folder is written to. How npm and apt reach the network is passed on.
set -euo pipefail

# For each package of the table of programs at least one file that needs it, where that takes seconds; that all packages
# bring what the table says is seen for all.
TESTS="tests/readme_test.ts tests/features/editor/in_place_test.ts tests/features/filesystem/mount_points_test.ts \
tests/features/filesystem/move_whole_test.ts tests/features/display/screen_size_test.ts \
tests/features/display/real_windows_test.ts tests/platform/linux/secret_service/keychain_test.ts \
tests/platform/linux/wayland/session_test.ts tests/platform/linux/x11/unix_stream_test.ts tests/platform/linux/bus/message_bus_test.ts \
tests/platform/linux/x11/setup_test.ts tests/platform/linux/x11/windows/list_test.ts tests/platform/posix/priority_test.ts \
tests/features/clipboard/x11_test.ts tests/features/recording/recording_test.ts tests/platform/linux/wayland/clipboard_test.ts \
tests/real_programs/elements/zenity_test.ts tests/platform/linux/clipboard/pasting_test.ts tests/features/window/x11_test.ts tests/platform/linux/wayland/windows_test.ts tests/cli/first_process_test.ts tests/client/python_test.ts tests/cli/completion_test.ts tests/programs_test.ts tests/configs_test.ts"

# shellcheck source=tools/newcomer/base.sh
. "$(dirname "$0")/newcomer/base.sh"

fail() {
  echo "newcomer: $*" >&2
  exit 1
}

# Node as its users have it: the program and npm, in /usr/local or where nvm has it.
copy_node() {
  local npm_folder prefix="$root${1%/bin}"
  npm_folder="$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")"
  mkdir -p "$prefix/bin" "$prefix/lib/node_modules"
  cp -L "$(command -v node)" "$prefix/bin/node"
  cp -a "$npm_folder" "$prefix/lib/node_modules/npm"
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$prefix/bin/npm"
  ln -sf ../lib/node_modules/npm/bin/npx-cli.js "$prefix/bin/npx"
  chroot "$root" "$1/node" --version >/dev/null ||
    fail "this computer's node does not run in the smallest Debian: it needs libraries of its own"
}

# A python3 that knows no module of Debian's, as one of pyenv.
make_python() {
  mkdir -p "$root$1"
  printf '#!/bin/sh\nexec /usr/bin/python3 -S "$@"\n' >"$root$1/python3"
  chmod a+x "$root$1/python3"
}

# A fresh clone; without git, or in a folder that is no clone, all files but those that were made here.
copy_repository() {
  local copy="$root/srv/computer-control"
  if [ -e "$1/.git" ] && command -v git >/dev/null; then
    git -c safe.directory='*' clone -q --no-hardlinks "$1" "$copy"
  else
    mkdir "$copy"
    tar -C "$1" --exclude=./.git --exclude=./dist --exclude=./node_modules -c . | tar -C "$copy" -x --no-same-owner
  fi
}

# How this computer reaches its registry: "NAME=value" lines, and the certificates that they name.
network_settings() {
  local key value
  env | grep -E '^((npm_config|NPM_CONFIG)_[A-Za-z0-9_]+|[A-Za-z]+_(proxy|PROXY)|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|DENO_TLS_CA_STORE|DENO_CERT)=' |
    grep -viE '^npm_config_(cache|prefix|userconfig|globalconfig|init_module|local_prefix|global_prefix)=' || true
  for key in registry cafile; do
    value="$(npm config get "$key" 2>/dev/null)"
    if [ "${value:-null}" != null ]; then echo "npm_config_$key=$value"; fi
  done
}

# Copied to a folder of their own: the package ca-certificates, which others bring along, writes its own files anew.
copy_certificates() {
  local value copy count=0
  for value in $(sed -nE 's/^(NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|DENO_CERT|npm_config_cafile|NPM_CONFIG_CAFILE)=//p' "$work/network" | sort -u); do
    [ -f "$value" ] || continue
    count=$((count + 1))
    copy="/srv/certificates-$count.pem"
    cp -L "$value" "$root$copy"
    chmod a+r "$root$copy"
    sed -i "s|=$value\$|=$copy|" "$work/network"
  done
}

leave() {
  trap '' INT TERM HUP
  end_inside
  rm -f "$unfinished"
  if [ "$keep" = 1 ]; then echo "Left in $work"; else rm -rf --one-file-system "$work"; fi
}

# Ends all that runs in the root and waits for it: the kernel ends with the first process of a namespace all others.
end_inside() {
  local first
  [ -n "$inside" ] || return 0
  first="$(cat "/proc/$inside/task/$inside/children" 2>/dev/null || true)"
  # shellcheck disable=SC2086 -- none before it has begun: then there is no more than $inside
  kill -9 ${first:-$inside} 2>/dev/null || true
  wait "$inside" 2>/dev/null || true
}

# In a function, so that the whole file has been read before anything runs: it may be edited meanwhile.
main() {
  tests="$TESTS"
  keep=0
  both=0
  node=/usr/local/bin
  first="" # in PATH
  homes=/home
  while [ $# -gt 0 ]; do
    case "$1" in
      --tests) tests="${2?--tests needs a list of files}" && shift ;;
      --all) tests="all" ;;
      --both) both=1 ;;
      --keep) keep=1 ;;
      --crowded)
        node=/opt/nvm/versions/node/v20/bin
        first="/opt/pyenv/shims:$node"
        homes="/mnt/of users"
        ;;
      *) echo "newcomer: unknown option $1: use --tests <files>, --all, --both, --crowded, --keep" >&2 && exit 2 ;;
    esac
    shift
  done

  [ "$(uname -s)" = Linux ] && [ "$(id -u)" = 0 ] || fail "needs root on Linux"
  for program in debootstrap node npm unshare; do
    command -v "$program" >/dev/null ||
      fail "$program is not installed: deno task setup --for newcomer"
  done

  repository="$(cd "$(dirname "$0")/.." && pwd)"
  work="$(mktemp -d "${TMPDIR:-/tmp}/computer-control-newcomer.XXXXXX")"
  root="$work/root"
  inside=""
  trap leave EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP

  release=bookworm
  started="$SECONDS"
  make_base "$release" "$root"
  configure_apt "$release" "$root"
  copy_node "$node"
  if [ -n "$first" ]; then make_python "${first%%:*}"; fi
  network_settings >"$work/network"
  copy_certificates
  copy_repository "$repository"
  cp "$repository/tools/newcomer/inside.sh" "$repository/tools/newcomer/ask.mjs" "$root/srv/"
  echo "Made the smallest Debian ($release) with Node $(chroot "$root" "$node/node" --version): $((SECONDS - started)) s"

  code=0
  # beside this script, whose traps would wait for it otherwise; it ends with this script, however that ends
  TESTS="$tests" BOTH="$both" setpriv --pdeathsig=KILL \
    unshare --mount --pid --ipc --uts --fork --kill-child --propagation private \
    bash "$root/srv/inside.sh" "$root" "$work/network" "$first" "$homes" &
  inside=$!
  wait "$inside" || code=$?
  inside=""
  [ "$code" = 0 ] || fail "ended with $code"
}

main "$@"; exit # one line: bash reads the next one only when this one has ended
