/** The script of the group watcher, for any POSIX shell. */

/**
 * Reads `add GROUP` and `remove GROUP` until its input closes, which means that the service has
 * ended. Then it kills the remaining groups and, on systems with `/proc`, the other groups of their
 * sessions. For the first second it keeps looking even when it finds none: a command may be
 * starting.
 */
export const WATCHER_SCRIPT = `
set -f
groups=" " asked=" "

# Whether $1 can be a group of ours.
is_group() {
  case $1 in "" | *[!0-9]*) return 1 ;; esac
  [ "$1" -gt 1 ]
}

while read -r change pid; do
  is_group "$pid" || continue
  case $change$groups in
    add*" $pid "*) ;;
    add*) groups="$groups$pid " ;;
    remove*" $pid "*) groups="\${groups%% $pid *} \${groups#* $pid }" ;;
  esac
done
exec </dev/null # closes the door: what comes too late finds none

# Sends $1 to the group $2, but TERM only once.
signal_group() {
  if [ "$1" = TERM ]; then
    case $asked in *" $2 "*) kill -s 0 -- "-$2" 2>/dev/null; return ;; esac
    asked="$asked$2 "
  fi
  kill -s "$1" -- "-$2" 2>/dev/null || return
  if [ "$1" = TERM ]; then kill -s CONT -- "-$2" 2>/dev/null; fi
  return 0
}

# Sends $1 to every group that has a living process; fails when there is none.
signal_all() {
  signal=$1 found=1
  if [ -r /proc/self/stat ]; then
    set +f
    set -- /proc/[0-9]*/stat
    set -f
    for stat; do
      text=
      { while read -r line; do text="$text $line"; done <"$stat"; } 2>/dev/null || continue
      set -- \${text##*)} # the name before it may hold anything, a line break too
      [ $# -gt 4 ] && is_group "$3" && is_group "$4" || continue
      case $groups in *" $4 "*) ;; *) continue ;; esac
      [ "$1" = Z ] && continue
      signal_group "$signal" "$3"
      found=0
    done
  else
    for group in $groups; do
      signal_group "$signal" "$group" && found=0
    done
  fi
  return $found
}

[ "$groups" = " " ] && exit
look=0
while [ $look -lt 30 ]; do
  signal_all TERM || [ $look -lt 10 ] || exit
  sleep 0.1
  look=$((look + 1))
done
while [ $look -lt 80 ]; do
  signal_all KILL || exit
  sleep 0.1
  look=$((look + 1))
done
`;
