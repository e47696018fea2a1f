#!/usr/bin/env bash
# A node of Kubernetes in namespaces of its own (network, mounts, processes, cgroups): etcd, API server, controllers,
# scheduler and kubelet (one executable, made by build.sh), containerd and runc of Debian. It touches no other network,
# cgroup or sysctl of the computer. Needs root, and version 1 of cgroups.
#   node.sh up <folder> <executable>      <folder>/kubeconfig, <folder>/pid of its first process, <folder>/log
#   node.sh run <folder> <command...>     runs a command inside
#   node.sh down <folder>                 ends it with all that runs inside
set -euo pipefail
verb="$1" dir="$(realpath -m "$2")" self="$(realpath "$0")"
group="${dir##*/}"
controllers="cpu cpuacct cpuset memory devices freezer blkio pids systemd"

# Waits until a command ends well: until_well <seconds> <command...>
until_well() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    if [ "$SECONDS" -ge "$end" ]; then return 1; fi
    sleep 0.2
  done
}

enter_groups() {
  local each file
  for each in $controllers; do
    mkdir -p "/sys/fs/cgroup/$each/$group"
    if [ "$each" = cpuset ]; then
      for file in cpuset.cpus cpuset.mems; do
        cat "/sys/fs/cgroup/cpuset/$file" >"/sys/fs/cgroup/cpuset/$group/$file"
      done
    fi
    echo "$BASHPID" >"/sys/fs/cgroup/$each/$group/cgroup.procs"
  done
}

mount_own() {
  local each options key
  mount -t sysfs sysfs /sys # that of the new network namespace
  mount -t tmpfs cgroups /sys/fs/cgroup
  for each in $controllers; do
    options="$each"
    if [ "$each" = systemd ]; then options=none,name=systemd; fi
    mkdir "/sys/fs/cgroup/$each"
    mount -t cgroup -o "$options" cgroup "/sys/fs/cgroup/$each"
  done
  # what the kubelet would set for the whole computer it sets in files of its own
  mkdir -p "$dir/sys"
  for key in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
    if [ -e "/proc/sys/$key" ]; then
      cat "/proc/sys/$key" >"$dir/sys/${key//\//_}"
      mount --bind "$dir/sys/${key//\//_}" "/proc/sys/$key"
    fi
  done
  mount --make-rshared /
  mount -t tmpfs run /run
  mkdir -p /run/containerd
}

make_network() {
  ip link set lo up
  ip link add node0 type bridge
  ip addr add 10.199.0.1/24 dev node0
  ip link set node0 up
  ip addr add 10.201.0.1/32 dev node0 # the API server as pods know it: there is no kube-proxy for other services
  ip route add default via 10.199.0.254
}

write_settings() {
  mkdir -p cni
  openssl genrsa -out sa.key 2048 2>/dev/null
  openssl rsa -in sa.key -pubout -out sa.pub 2>/dev/null
  echo "admin-token,admin,admin,system:masters" >tokens.csv
  cat >kubeconfig <<K
apiVersion: v1
kind: Config
clusters: [{name: node, cluster: {server: "https://127.0.0.1:443", insecure-skip-tls-verify: true}}]
users: [{name: admin, user: {token: admin-token}}]
contexts: [{name: node, context: {cluster: node, user: admin}}]
current-context: node
K
  cat >kubelet.yaml <<K
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
cgroupDriver: cgroupfs
failCgroupV1: false
failSwapOn: false
oomScoreAdj: 0
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
resolvConf: ""
clusterDomain: cluster.local
evictionHard: {memory.available: "200Mi", nodefs.available: "1%", imagefs.available: "1%"}
imageMinimumGCAge: 1000h
syncFrequency: 10s
nodeStatusUpdateFrequency: 5s
K
  cat >containerd.toml <<K
version = 2
root = "$dir/containerd"
state = "/run/containerd/state"
oom_score = 0
[grpc]
  address = "/run/containerd/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pause:1"
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$dir/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
K
  cat >cni/10-bridge.conflist <<K
{"cniVersion": "0.4.0", "name": "pods", "plugins": [
 {"type": "bridge", "bridge": "cni0", "isGateway": true, "ipMasq": false, "hairpinMode": true,
  "ipam": {"type": "host-local", "dataDir": "/run/cni-ipam", "ranges": [[{"subnet": "10.200.0.0/24"}]], "routes": [{"dst": "0.0.0.0/0"}]}},
 {"type": "portmap", "capabilities": {"portMappings": true}}]}
K
}

start_all() {
  containerd --config containerd.toml >log/containerd.log 2>&1 &
  etcd --data-dir "$dir/etcd" --unsafe-no-fsync --log-level error --listen-client-urls http://127.0.0.1:2379 \
    --advertise-client-urls http://127.0.0.1:2379 --listen-peer-urls http://127.0.0.1:2380 >log/etcd.log 2>&1 &
  kube-apiserver --etcd-servers http://127.0.0.1:2379 --cert-dir "$dir/certs" --secure-port 443 --bind-address 0.0.0.0 \
    --advertise-address 10.199.0.1 --service-cluster-ip-range 10.201.0.0/16 \
    --service-account-issuer https://kubernetes.default.svc --service-account-key-file sa.pub \
    --service-account-signing-key-file sa.key --token-auth-file tokens.csv --authorization-mode RBAC --allow-privileged \
    --kubelet-preferred-address-types InternalIP >log/apiserver.log 2>&1 &
  until_well 300 kubectl get --raw /readyz
  kube-controller-manager --kubeconfig kubeconfig --service-account-private-key-file sa.key --root-ca-file "$dir/certs/apiserver.crt" \
    --use-service-account-credentials --leader-elect=false --cert-dir certs-controllers >log/controllers.log 2>&1 &
  kube-scheduler --kubeconfig kubeconfig --leader-elect=false --cert-dir certs-scheduler >log/scheduler.log 2>&1 &
  kubelet --config kubelet.yaml --kubeconfig kubeconfig --root-dir "$dir/kubelet" --cert-dir "$dir/certs-kubelet" \
    --node-ip 10.199.0.1 --hostname-override desk-node >log/kubelet.log 2>&1 &
  until_well 300 kubectl wait --for=condition=Ready node/desk-node --timeout=5s
}

up() {
  mkdir -p "$dir/bin" "$dir/log"
  for name in etcd kube-apiserver kube-controller-manager kube-scheduler kubelet kubectl; do
    ln -sf "$(realpath "$1")" "$dir/bin/$name"
  done
  (
    enter_groups
    exec setsid unshare --net --mount --pid --cgroup --uts --ipc --fork --mount-proc --propagation private \
      bash "$self" inside "$dir"
  ) >"$dir/log/node.log" 2>&1 </dev/null &
  until_well 60 pgrep -P "$!"
  pgrep -P "$!" >"$dir/pid"
  until_well 900 test -e "$dir/ready" -o ! -e "/proc/$!" || true
  if [ ! -e "$dir/ready" ]; then
    tail -n 5 "$dir"/log/*.log >&2
    exit 1
  fi
}

run() {
  exec nsenter --target "$(cat "$dir/pid")" --net --mount --pid --cgroup --uts --ipc \
    env PATH="$dir/bin:$PATH" KUBECONFIG="$dir/kubeconfig" "$@"
}

down() {
  # its first process: all others end with it
  if [ -e "$dir/pid" ]; then kill -KILL "$(cat "$dir/pid")" 2>/dev/null || true; fi
  until_well 30 sh -c "[ -z \"\$(cat /sys/fs/cgroup/pids/$group/cgroup.procs 2>/dev/null)\" ]" || true
  for each in $controllers; do
    find "/sys/fs/cgroup/$each/$group" -depth -type d -exec rmdir {} + 2>/dev/null || true
  done
}

inside() {
  export PATH="$dir/bin:/usr/sbin:/usr/bin:/sbin:/bin" KUBECONFIG="$dir/kubeconfig"
  hostname desk-node
  cd "$dir"
  mount_own
  make_network
  write_settings
  start_all
  touch ready
  wait
}

shift 2
"$verb" "$@"
