#!/bin/sh
# Computer Control Service @VERSION@ for @OS@ @ARCH@, in one file: this script, then the packed
# runtime (Deno @DENO@), then the packed program. The first start unpacks both into a folder of
# the user, later starts only look whether that is still what was checked then.
set -u

id=@ID@                  # the first digits of the checksum
checksum=@CHECKSUM@      # SHA-256 of the files, one after the other
files="@FILES@"
runtime_at=@RUNTIME_AT@  # where the parts begin in this file, in bytes from 1
runtime_length=@RUNTIME_LENGTH@
program_at=@PROGRAM_AT@
program_length=@PROGRAM_LENGTH@
total=@TOTAL@            # bytes of this file
needed_kib=@NEEDED_KIB@  # room that the unpacked files need
runtime_bytes=@RUNTIME_BYTES@

advice="or name another folder with COMPUTER_CONTROL_CACHE=/some/folder"
work=
job=

fail() {
  [ -z "$work" ] || rm -rf "$work"
  printf 'computer-control: %s\n' "$1" >&2
  exit 1
}

# Where the files of the user go; never below a folder in which everybody may rename things.
find_place() {
  if [ -n "${COMPUTER_CONTROL_CACHE:-}" ]; then
    base=$COMPUTER_CONTROL_CACHE
  elif [ -n "${XDG_CACHE_HOME:-}" ] && [ "${XDG_CACHE_HOME#/}" != "$XDG_CACHE_HOME" ]; then
    base=$XDG_CACHE_HOME
  else
    base=${HOME:-}
    [ -n "$base" ] || base=$(home_of_user)
    [ -n "$base" ] || fail "Cannot unpack the program: HOME is not set: set it, $advice"
    base=$base/@CACHE@
  fi
  case $base in
    /*) ;;
    *) fail "Cannot unpack into \"$base\": it does not begin with /" ;;
  esac
}

# By the table of users, as a service that was started without a login has no HOME.
home_of_user() {
  user=$(id -un 2>/dev/null) || return 0
  case $user in
    '' | *[!A-Za-z0-9._-]*) return 0 ;;
  esac
  eval "found=~$user"
  case $found in
    /*) printf '%s' "$found" ;;
  esac
}

# Sets own and folder, behind every symbolic link, where they exist.
enter_place() {
  real=$(cd -P -- "$base" 2>/dev/null && pwd -P) || return 1
  own=${real%/}/computer-control
  folder=$own/$id
}

check_place() {
  if [ -L "$own" ] || [ -L "$folder" ]; then
    fail "Cannot use \"$own\": it is or holds a symbolic link: remove it, $advice"
  fi
  if [ -e "$own" ]; then
    [ -d "$own" ] || fail "Cannot use \"$own\": it is not a folder: remove it, $advice"
    [ -O "$own" ] || fail "Cannot use \"$own\": it belongs to another user: remove it, $advice"
  fi
  check_modes "$own"
}

# Others may not write into the folder nor, without the sticky bit, into one above it.
check_modes() {
  path=$1
  listed=
  set --
  if [ -e "$path" ]; then # another one that starts may make it in a moment
    listed=yes
    set -- "$path"
  fi
  while [ "$path" != / ]; do
    path=${path%/*}
    path=${path:-/}
    set -- "$@" "$path"
  done
  modes=$(stat @STAT_MODE@ "$@") || fail "Cannot use \"$own\": its permissions cannot be read"
  if [ -n "$listed" ]; then
    case $modes in
      d???------*) ;;
      *) fail "Cannot use \"$own\": others may enter it: run chmod 700 \"$own\", $advice" ;;
    esac
  fi
  for mode in $modes; do
    case $mode in
      ????????w[!tT]*)
        fail "Cannot use \"$own\": it is below a folder that everybody may write to: $advice"
        ;;
    esac
  done
}

# What every change of a file changes too: number, size, permissions, owner, time of change.
read_state() {
  state=
  # shellcheck disable=SC2046,SC2086 # names without spaces
  set -- $(cd "$folder" 2>/dev/null && stat @STAT_FILE@ $files 2>/dev/null)
  state="$id $*"
}

is_as_checked() {
  [ -f "$folder/.checked" ] && [ -O "$folder/.checked" ] && [ ! -L "$folder/.checked" ] ||
    return 1
  IFS= read -r stamp <"$folder/.checked" || return 1
  read_state
  [ "$state" = "$stamp" ]
}

# Whether the files in folder $1 are the ones that were packed.
is_whole() {
  # shellcheck disable=SC2086 # names without spaces
  sum=$(cd "$1" 2>/dev/null && cat $files 2>/dev/null | sha256)
  [ "${sum%% *}" = "$checksum" ]
}

sha256() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256
  else
    openssl dgst -sha256 -r
  fi
}

# A place that cannot be written to is checked again at every start.
write_stamp() {
  read_state
  printf '%s\n' "$state" 2>/dev/null >"$folder/.checked.$$" &&
    mv -f "$folder/.checked.$$" "$folder/.checked"
} 2>/dev/null

check_this_file() {
  case $(uname -s)/$(uname -m) in
    @UNAME@) ;;
    *) fail "This file is for @OS@ @ARCH@, and this is $(uname -s) $(uname -m)" ;;
  esac
  size=$(wc -c <"$0") || fail "Cannot read \"$0\""
  [ "$((size))" -eq "$total" ] ||
    fail "\"$0\" is damaged: it has $((size)) bytes instead of $total: get it again"
}

unpack() {
  check_this_file
  mkdir -p -- "$base" 2>/dev/null && enter_place ||
    fail "Cannot unpack into \"$base\": the folder cannot be made: make it writable, $advice"
  check_place
  [ -d "$own" ] || mkdir -- "$own" 2>/dev/null || [ -d "$own" ] ||
    fail "Cannot unpack into \"$real\": the folder is not writable: make it writable, $advice"
  check_place
  remove_leftovers
  check_room
  trap 'stop 129' HUP
  trap 'stop 130' INT
  trap 'stop 143' TERM
  work=$(mktemp -d "$own/.unpack.$$.XXXXXX" 2>/dev/null) || {
    work=
    fail "Cannot unpack into \"$own\": the folder is not writable: make it writable, $advice"
  }
  extract_all &
  job=$!
  [ ! -t 2 ] || show_progress
  wait "$job" || fail_to_extract
  job=
  mv "$work/package/deno" "$work/deno" 2>/dev/null && rm -rf "$work/package"
  is_whole "$work" || fail_to_extract
  try_runtime
  # shellcheck disable=SC2086 # names without spaces
  (cd "$work" && sync $files 2>/dev/null || sync)
  # Each file takes the place of an older one at once, so that two that unpack do not meet.
  mkdir -p "$folder" && (cd "$work" && mv -f $files "$folder/") ||
    fail "Cannot unpack into \"$folder\": the files cannot be moved there"
  rm -rf "$work"
  work=
  trap - HUP INT TERM
  write_stamp
}

# What somebody left who was killed while unpacking.
remove_leftovers() {
  for left in "$own"/.unpack.*; do
    pid=${left##*/.unpack.}
    kill -0 "${pid%%.*}" 2>/dev/null || rm -rf "$left"
  done
}

stop() {
  [ -z "$job" ] || kill "$job" 2>/dev/null
  [ -z "$job" ] || wait "$job" 2>/dev/null
  [ -z "$work" ] || rm -rf "$work"
  exit "$1"
}

extract_all() {
  trap - HUP INT TERM
  extract "$runtime_at" "$runtime_length" && extract "$program_at" "$program_length"
}

extract() {
  tail -c "+$1" "$0" 2>/dev/null | head -c "$2" | tar -xzof - -C "$work" 2>/dev/null
}

check_room() {
  room=$(df -Pk "$own" 2>/dev/null | { read -r _; read -r _ _ _ room _; echo "$room"; })
  case $room in
    '' | *[!0-9]*) return 0 ;;
  esac
  [ "$room" -ge "$needed_kib" ] ||
    fail "Cannot unpack into \"$own\": it needs $((needed_kib / 1024)) MiB and $((room / 1024)) MiB are free: make room, $advice"
}

fail_to_extract() {
  rm -rf "$work"
  check_room
  command -v tar >/dev/null 2>&1 && command -v gzip >/dev/null 2>&1 ||
    fail "Cannot unpack: tar and gzip are needed: install them"
  fail "Cannot unpack into \"$own\": the files are damaged or cannot be written: get \"$0\" again, $advice"
}

# Where programs may not be started, or with another C library, it says so at once.
try_runtime() {
  chmod 700 "$work/deno"
  said=$("$work/deno" --version 2>&1) ||
    fail "Cannot start the runtime in \"$own\" (${said%%"
"*}): @HINT@, $advice"
}

show_progress() {
  while kill -0 "$job" 2>/dev/null; do
    bytes=$(wc -c <"$work/package/deno" 2>/dev/null) || bytes=0
    progress "$((bytes * 100 / runtime_bytes))"
    [ "$((bytes))" -lt "$runtime_bytes" ] || break
    sleep 0.1 2>/dev/null || sleep 1
  done
  progress 100
  printf '\n' >&2
}

progress() {
  printf '\rUnpacking Computer Control @VERSION@ into %s, once: %3d %%' "$own" "$1" >&2
}

case $0 in
  /*) self=$0 ;;
  */*) self=$PWD/${0#./} ;;
  *) self=$PWD/$0 ;;
esac
find_place
if enter_place; then
  check_place
else
  folder=
fi
if [ -z "$folder" ] || ! is_as_checked; then
  mask=$(umask)
  umask 077
  if [ -n "$folder" ] && [ -d "$folder" ] && is_whole "$folder"; then
    write_stamp
  else
    [ -z "$folder" ] || [ ! -e "$folder/.checked" ] ||
      printf 'computer-control: "%s" is damaged: unpacking it again\n' "$folder" >&2
    unpack
  fi
  umask "$mask"
fi

COMPUTER_CONTROL_KIND=self-extracting
COMPUTER_CONTROL_EXECUTABLE=$self
COMPUTER_CONTROL_DENO_DIR=${DENO_DIR:-}
DENO_DIR=$own/deno
DENO_NO_UPDATE_CHECK=1
DENO_NO_PACKAGE_JSON=1
export COMPUTER_CONTROL_KIND COMPUTER_CONTROL_EXECUTABLE COMPUTER_CONTROL_DENO_DIR
export DENO_DIR DENO_NO_UPDATE_CHECK DENO_NO_PACKAGE_JSON
exec "$folder/deno" run @RUN_FLAGS@ "$folder/main.js" "$@"
fail "Cannot start \"$folder/deno\""
