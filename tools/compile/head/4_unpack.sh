
check_this_file() {
  case $(uname -s)/$(uname -m) in
    @UNAME@) ;;
    *) fail "This file is for @OS@ @ARCH@, and this is $(uname -s) $(uname -m)" ;;
  esac
  [ -r "$self" ] || fail "Cannot read \"$self\""
  size=$(wc -c <"$self")
  [ "$((size))" -eq "$total" ] ||
    fail "\"$self\" is damaged: it has $((size)) bytes instead of $total: get it again"
}

check_tools() {
  for tool in cat chmod gzip head mkdir mktemp mv rm stat tail tar uname wc; do
    command -v "$tool" || fail "Cannot unpack: $tool is needed: install it"
  done
  command -v sha256sum || command -v shasum || command -v openssl ||
    fail "Cannot unpack: sha256sum, shasum or openssl is needed: install one"
} >/dev/null

unpack() {
  check_tools
  check_this_file
  check_above
  mkdir -p -- "$base" 2>/dev/null && enter_place ||
    fail "Cannot unpack into \"$base\": the folder cannot be made: make it writable, $advice"
  check_place
  [ -d "$own" ] || mkdir -- "$own" 2>/dev/null || [ -d "$own" ] ||
    fail "Cannot unpack into \"$real\": the folder is not writable: make it writable, $advice"
  check_place
  host=$(uname -n)
  remove_leftovers
  check_room
  trap 'stop 129' HUP
  trap 'stop 130' INT
  trap 'stop 143' TERM
  work=$(mktemp -d "$own/.unpack.$host.$$.XXXXXX" 2>/dev/null) || {
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
  (cd "$work" && sync $files || sync) 2>/dev/null
  # Each file takes the place of an older one at once, so that two that unpack do not meet.
  mkdir -p "$folder" && (cd "$work" && mv -f $files "$folder/") ||
    fail "Cannot unpack into \"$folder\": the files cannot be moved there"
  rm -rf "$work"
  work=
  trap - HUP INT TERM
  write_stamp
}

# What somebody left who was killed while unpacking; of other machines that share the folder, whose
# processes are not seen from here, only what is older than a day.
remove_leftovers() {
  for left in "$own"/.unpack.*; do
    pid=${left##*/.unpack."$host".}
    case $pid in
      */*) find "$left" -prune -mtime +0 -exec rm -rf {} + 2>/dev/null ;;
      *) kill -0 "${pid%%.*}" 2>/dev/null || remove "$left" ;;
    esac
  done
}

stop() {
  [ -z "$job" ] || kill "$job" 2>/dev/null
  [ -z "$job" ] || wait "$job" 2>/dev/null
  [ -z "$work" ] || remove "$work"
  exit "$1"
}

extract_all() {
  trap - HUP INT TERM
  unset TAR_OPTIONS GZIP # which change what they do
  extract "$runtime_at" "$runtime_length" && extract "$program_at" "$program_length"
}

extract() {
  tail -c "+$1" "$self" 2>/dev/null | head -c "$2" | tar -xzof - -C "$work" 2>/dev/null
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
  fail "Cannot unpack into \"$own\": the files are damaged or cannot be written: get \"$self\" again, $advice"
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
    bytes=$(wc -c 2>/dev/null <"$work/package/deno") || bytes=0
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
