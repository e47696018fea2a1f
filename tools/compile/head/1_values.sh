#!/bin/sh
# Computer Control Service @VERSION@ for @OS@ @ARCH@, in one file: this script, then the packed
# runtime (Deno @DENO@), then the packed program. The first start unpacks both into a folder of
# the user, later starts only look whether that is still what was checked then.
set -u

{ # read to its end before anything runs: a file that was cut does nothing

# A closed stream would be the first file that somebody opens.
{ true 9<&0; } 2>/dev/null || exec </dev/null
{ true 9>&1; } 2>/dev/null || exec >/dev/null
true 9>&2 || exec 2>/dev/null

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

other="name another folder with COMPUTER_CONTROL_CACHE=/some/folder"
advice="or $other"
work=
job=

case $0 in # by `sh name` it may come from PATH
  /*) self=$0 ;;
  */*) self=$PWD/${0#./} ;;
  *)
    self=$PWD/$0
    [ -f "$self" ] || self=$(command -v -- "$0") || self=$PWD/$0
    ;;
esac

# Again when something was put into it meanwhile: tar ends a moment after the shell that started it.
remove() {
  rm -rf "$1" || { sleep 1 && rm -rf "$1"; }
} 2>/dev/null

fail() {
  [ -z "$work" ] || remove "$work"
  printf 'computer-control: %s\n' "$1" >&2
  exit 1
}
