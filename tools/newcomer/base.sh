#!/usr/bin/env bash
# The smallest Debian as a folder, made by debootstrap from the mirror that this computer's apt uses, and kept as an
# archive in ~/.cache/computer-control/newcomer. Needs root on Debian. newcomer.sh reads the functions from here;
# by itself, for others that need such a folder:
#
#   tools/newcomer/base.sh <release> <folder>    fills an empty or missing folder, with settings for apt
set -euo pipefail

# What is being written beside the archive; whoever calls make_base removes it when it ends early.
unfinished=""

# Where this computer's apt gets a release of Debian from, else where everybody does: lines of "address suite", the main
# archive first. Those of the security updates matter: browsers of different ages behave differently.
mirrors() {
  local release="$1" format='$(REPO_URI) $(CODENAME) $(ORIGIN) $(COMPONENT)' known
  known="$({ apt-get indextargets --format "$format" 'Created-By: Packages' 2>/dev/null || true; } |
    awk -v release="$release" '$3 == "Debian" && $4 == "main" && index($2, release) == 1 { print $1, $2 }' |
    sort -u | sort -k2,2)"
  case "$known" in
    *" $release"$'\n'* | *" $release") echo "$known" ;;
    *)
      echo "http://deb.debian.org/debian $release"
      echo "http://deb.debian.org/debian $release-updates"
      echo "http://deb.debian.org/debian-security $release-security"
      ;;
  esac
}

# The smallest system, kept for a month. Runs at the same time may each make it: the last one's stays.
make_base() {
  local release="$1" root="$2" kept archive said mirror
  kept="${XDG_CACHE_HOME:-$HOME/.cache}/computer-control/newcomer"
  archive="$kept/$release-$(dpkg --print-architecture).tar.gz"
  mkdir -p "$root"
  if [ -n "$(find "$archive" -mtime -30 2>/dev/null)" ]; then
    # gzip knows by its checksum whether all of it is as it was written
    if said="$(tar -C "$root" -xzf "$archive" 2>&1)"; then return; fi
    echo "Making $archive again: ${said%%$'\n'*}"
    rm -rf --one-file-system "$root" && mkdir "$root"
  fi
  mirror="$(mirrors "$release" | awk -v release="$release" '$2 == release { print $1; exit }')"
  said="$(debootstrap --variant=minbase "$release" "$root" "$mirror" 2>&1)" ||
    fail "debootstrap failed: $(tail -n 3 <<<"$said")"
  rm -rf --one-file-system "$root"/var/cache/apt/archives/*.deb "$root"/dev && mkdir "$root/dev"
  mkdir -p "$kept"
  unfinished="$(mktemp "$archive.XXXXXX")"
  tar -C "$root" -c . | gzip -1 >"$unfinished"
  mv "$unfinished" "$archive"
}

# The same mirrors and settings as apt has here.
configure_apt() {
  local release="$1" root="$2" keyring="signed-by=/usr/share/keyrings/debian-archive-keyring.gpg"
  mirrors "$release" | while read -r address suite; do
    echo "deb [$keyring] $address $suite main"
  done >"$root/etc/apt/sources.list"
  apt-config dump | grep -E '^Acquire::(http|https|ftp|Retries|Check-|Max-)' \
    >"$root/etc/apt/apt.conf.d/90computer" || true
  rm -rf "$root"/var/lib/apt/lists/* # those of debootstrap know no security updates
  # nothing has to outlive a loss of power here, and syncing each file takes as long as all else;
  # what nobody reads here is left out, as in the slim images of Debian
  printf '%s\n' force-unsafe-io path-exclude=/usr/share/{doc,info,locale,man}/'*' \
    >"$root/etc/dpkg/dpkg.cfg.d/90computer"
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  cp /etc/hosts "$root/etc/hosts"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  fail() {
    echo "base.sh: $*" >&2
    exit 1
  }
  [ $# = 2 ] || fail "needs a release of Debian and a folder"
  command -v debootstrap >/dev/null || fail "debootstrap is not installed: deno task setup --for newcomer"
  trap 'rm -f "$unfinished"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  make_base "$1" "$2"
  configure_apt "$1" "$2"
fi
