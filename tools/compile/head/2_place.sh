
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
