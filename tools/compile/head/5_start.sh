
find_place
enter_place || folder=
# Where nothing is unpacked yet, unpacking looks at the place, after it has looked at the system.
if [ -n "$folder" ] && [ -e "$own" ]; then check_place; fi
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
mark_used

COMPUTER_CONTROL_KIND=self-extracting
COMPUTER_CONTROL_EXECUTABLE=$self
COMPUTER_CONTROL_DENO_DIR=${DENO_DIR:-}
DENO_DIR=$own/deno
DENO_NO_UPDATE_CHECK=1
export COMPUTER_CONTROL_KIND COMPUTER_CONTROL_EXECUTABLE COMPUTER_CONTROL_DENO_DIR
export DENO_DIR DENO_NO_UPDATE_CHECK
exec "$folder/deno" run @RUN_FLAGS@ "$folder/main.js" "$@"
fail "Cannot start \"$folder/deno\""
}
