
# What every change of a file changes too: number, size, permissions, owner, time of change.
read_state() {
  state=
  # shellcheck disable=SC2046,SC2086 # names without spaces
  set -- $(cd "$folder" 2>/dev/null && TZ=UTC0 stat @STAT_FILE@ $files 2>/dev/null)
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
  mark_used
} 2>/dev/null

# The time of this file says when the program was last started; while it runs, it holds a lock on it.
mark_used() {
  printf '\n' >"$folder/.used"
} 2>/dev/null
