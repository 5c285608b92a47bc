#!/bin/sh
# clean_debian.sh BUILD_DIR [COMMAND] - the packages in a Debian 12 of their own, from nothing.
# clean_debian.sh --source [COMMAND]  - this checkout's last commit in one, by the README's first two commands.
#
# Makes one with debootstrap (as root). The packages are installed with what they need and a compiler, the source is
# unpacked; then COMMAND runs there (vprofiler doctor; vprofiler demo / what it needs; make demo; make test). Minutes, and
# a Debian mirror. ROOT=DIR keeps the system in DIR, and uses it again; SHM=own gives it a /dev/shm in memory.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
if [ "$1" = --source ]; then
    command=${2:-"tools/install_packages.sh; make demo; cmake --install build --prefix /root/installed; time make test"}
else
    build=$(cd "$1" && pwd)
    command=${2:-"vprofiler doctor; time vprofiler demo"}
fi
root=${ROOT:-$(mktemp -d)}
chmod 755 "$root" # as / is: mktemp's is closed to all other users

finish() {
    status=$?
    for place in sys dev/shm dev/pts proc; do
        if mountpoint -q "$root/$place"; then umount "$root/$place"; fi
    done
    [ -n "${ROOT:-}" ] || rm -rf --one-file-system "$root"
    exit $status
}
trap finish EXIT
trap 'exit 130' INT TERM

[ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase bookworm "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf"
apt-config dump | grep -i '^Acquire::[a-z]*::Proxy' >"$root/etc/apt/apt.conf.d/01proxy" || :
mount -t proc proc "$root/proc"
mount -t devpts devpts "$root/dev/pts"
mount -t sysfs sysfs "$root/sys"
[ "${SHM:-}" != own ] || mount -t tmpfs tmpfs "$root/dev/shm"

in_root() { chroot "$root" env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
install() { in_root sh -c "DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $*"; }

in_root apt-get update -q
if [ "$1" = --source ]; then
    folder=/root/vprofiler
    mkdir -p "$root$folder"
    git -C "$here" archive HEAD | tar -x -C "$root$folder"
else
    folder=/root
    rm -rf "$root/root/packages"
    (cd "$build" && cpack -G DEB -B "$root/root/packages")
    rm -rf "$root/root/packages/_CPack_Packages"
    install '/root/packages/*.deb' gcc libc6-dev make
fi
in_root bash -c "set -e; cd $folder; $command"
