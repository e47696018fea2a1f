#!/usr/bin/env bash
# Builds, from the Go module proxy, what the test of the manifests runs, into a folder that keeps it: build.sh <folder>.
# One executable is all of Kubernetes and etcd (160 MB; 13 processor minutes, 25 s when Go's cache is warm), two are
# agent-sandbox's controller and router. `build.sh <folder> fetch` only fetches their source, where that is possible.
set -euo pipefail
kubernetes=1.37.2 sandbox=0.5.6
dir="$1" what="${2:-build}" here="$(cd "$(dirname "$0")" && pwd)"
export CGO_ENABLED=0 GOFLAGS=-mod=mod
mkdir -p "$dir/source"
cd "$dir/source"

# The go.mod of a program that has the components of one release, with the versions that Kubernetes was released with.
requirements() {
  local from="$1" libraries="v0.${kubernetes#1.}"
  echo "module node"
  sed -n 's/^go .*/&/p' "$from" | head -n 1
  echo "godebug default=$(sed -n 's/^go \([0-9]*\.[0-9]*\).*/go\1/p' "$from" | head -n 1)"
  echo "require k8s.io/kubernetes v$kubernetes"
  sed -n '/^require (/,/^)/p' "$from" | sed "s/ v0\.0\.0\$/ $libraries/; s/ v0\.0\.0 / $libraries /"
  echo "replace ("
  sed -n 's#^\t\(k8s.io/[a-z-]*\) => ./staging.*#\t\1 => \1 '"$libraries"'#p' "$from"
  echo ")"
}

folder_of() {
  GOFLAGS="" go mod download -json "$1" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p'
}

released="$(cd / && folder_of "k8s.io/kubernetes@v$kubernetes")"
agents="$(cd / && folder_of "sigs.k8s.io/agent-sandbox@v$sandbox")"
[ -d "$released" ] && [ -d "$agents" ]
cp "$here/node/main.go" .
requirements "$released/go.mod" >go.mod
cp "$released/go.sum" go.sum
mkdir -p ../agents
sed 's/^module .*/module agents/' "$agents/go.mod" >../agents/go.mod
echo "require sigs.k8s.io/agent-sandbox v$sandbox" >>../agents/go.mod
cp "$agents/go.sum" ../agents/go.sum
chmod u+w ../agents/go.sum go.sum
if [ "$what" = fetch ]; then exit; fi

version="-X k8s.io/component-base/version.gitVersion=v$kubernetes -X k8s.io/component-base/version.gitMajor=1"
version="$version -X k8s.io/component-base/version.gitMinor=$(cut -d. -f2 <<<"$kubernetes")"
nice -n 15 go build -trimpath -ldflags "-s -w $version" -o "$dir/node.new" .
go build -trimpath -ldflags "-s -w" -o "$dir/pause" "$here/pause/main.go"
cd ../agents
nice -n 15 go build -trimpath -ldflags "-s -w" -o "$dir/agent-sandbox-controller" sigs.k8s.io/agent-sandbox/cmd/agent-sandbox-controller
nice -n 15 go build -trimpath -ldflags "-s -w" -o "$dir/sandbox-router" sigs.k8s.io/agent-sandbox/sandbox-router/cmd
rm -rf "$dir/crds" && cp -R "$agents/k8s/crds" "$dir/crds" && chmod -R u+w "$dir/crds"
mv "$dir/node.new" "$dir/node" # the last one: all of it is there
