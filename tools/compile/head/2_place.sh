
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

# Before anything is made there.
check_above() {
  own=$base/computer-control
  above=$base
  while [ ! -d "$above" ]; do
    above=${above%/*}
    above=${above:-/}
  done
  above=$(cd -P -- "$above" 2>/dev/null && pwd -P) ||
    fail "Cannot unpack into \"$base\": the folder cannot be entered: $other"
  check_modes "${above%/}/."
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

# Nobody else may write into the folder, nor put another one in its place: those above it belong to the
# user or to root (whom some containers show as 65534), and nobody else may write into them, unless they
# have the sticky bit.
check_modes() {
  path=$1
  me=
  set --
  if [ "$path" = "$own" ] && [ -e "$own" ]; then # another one that starts may make it in a moment
    set -- "$own"
  else
    me=$(id -u) || fail "Cannot use \"$own\": id does not say who the user is"
  fi
  while [ "$path" != / ]; do
    path=${path%/*}
    path=${path:-/}
    set -- "$@" "$path"
  done
  modes=$(stat @STAT_MODE@ "$@") || fail "Cannot use \"$own\": its permissions cannot be read"
  if [ -z "$me" ]; then
    case $modes in
      d???--[-S]---/*) ;;
      *) fail "Cannot use \"$own\": others may enter it: run chmod 700 \"$own\", $advice" ;;
    esac
    me=${modes#*/}
    me=${me%%/*}
  fi
  for mode in $modes; do check_mode "$mode"; done
}

# Of one folder: permissions/user/group, as in drwxr-xr-x/1000/1000.
check_mode() {
  owner=${1#*/}
  case ${owner%/*} in
    0 | 65534 | "$me") ;;
    *) fail "Cannot use \"$own\": it is below a folder of another user: $other" ;;
  esac
  case $1 in
    ????????w[!tT]/*)
      fail "Cannot use \"$own\": it is below a folder that everybody may write to: $other"
      ;;
    ?????w???[!tT]/*/0) ;;
    ?????w???[!tT]/*)
      [ "${1##*/}" = "$(id -g)" ] ||
        fail "Cannot use \"$own\": it is below a folder that a group may write to: $other"
      ;;
  esac
}
