#!/bin/sh
# The first process of a node, in namespaces of its own: node.sh <root folder> <data folder> <address>. It runs etcd and Patroni as
# postgres, as systemd would, until it is killed.
set -eu
root=$1 data=$2 address=$3

until ip link show eth0 >/dev/null 2>&1; do sleep 0.05; done
ip link set lo up
ip address add "$address/24" dev eth0
ip link set eth0 up

mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
# Postgres and the HMAC of Python need shared memory that is writable: without it, Patroni never fails over.
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs tmpfs "$root/run"
mkdir -m 775 "$root/run/postgresql"
chroot "$root" chown postgres:postgres /run/postgresql
mount --bind "$data" "$root/var/lib/postgresql"

run() {
  while :; do
    chroot --userspec=postgres:postgres "$root" env HOME=/var/lib/postgresql "$@" >>"$data/$1.log" 2>&1 || true
    sleep 1
  done
}
run etcd --config-file /var/lib/postgresql/etcd.yml &
run patroni /var/lib/postgresql/patroni.yml &
wait
