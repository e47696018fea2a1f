#!/usr/bin/env bash
# Makes the image debian:bookworm-slim of Debian's own packages, where no registry can be reached: debian_base.sh <name>.
# Like the machine that it is made on, it trusts the machine's own certificates. Needs root on Debian, debootstrap, podman.
set -euo pipefail
name="$1" root="$(mktemp -d)"
trap 'rm -rf --one-file-system "$root"' EXIT
bash "$(dirname "$0")/../../tools/newcomer/base.sh" bookworm "$root"
find "$root"/usr/share/{doc,info,locale,man} -mindepth 1 -delete
printf '%s\n' 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb || true"; };' \
  'Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";' 'Acquire::Check-Valid-Until "false";' \
  >"$root/etc/apt/apt.conf.d/docker-clean"
if [ -d /usr/local/share/ca-certificates ]; then
  mkdir -p "$root/usr/local/share"
  cp -rL /usr/local/share/ca-certificates "$root/usr/local/share/"
fi
tar -C "$root" -c . | podman import --quiet --change 'CMD ["bash"]' \
  --change 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' \
  --change 'ENV DENO_TLS_CA_STORE=system' - "$name"
