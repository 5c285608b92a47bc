#!/bin/sh
# clean_debian.sh BUILD_DIR [COMMAND] - the packages in a Debian 12 of their own, from nothing.
#
# Makes one with debootstrap (as root), installs the packages with what they need and a compiler,
# and runs COMMAND there (vprofiler doctor; vprofiler demo). Minutes, and a Debian mirror; ROOT=DIR
# keeps the system in DIR, and uses it again.
set -eu
build=$(cd "$1" && pwd)
command=${2:-"vprofiler doctor; time vprofiler demo"}
root=${ROOT:-$(mktemp -d)}

finish() {
    status=$?
    for place in sys dev/pts proc; do
        if mountpoint -q "$root/$place"; then umount "$root/$place"; fi
    done
    [ -n "${ROOT:-}" ] || rm -rf --one-file-system "$root"
    exit $status
}
trap finish EXIT
trap 'exit 130' INT TERM

[ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase bookworm "$root"
mount -t proc proc "$root/proc"
mount -t devpts devpts "$root/dev/pts"
mount -t sysfs sysfs "$root/sys"

rm -rf "$root/root/packages"
(cd "$build" && cpack -G DEB -B "$root/root/packages")
rm -rf "$root/root/packages/_CPack_Packages"
in_root() { chroot "$root" env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
in_root apt-get update -q
in_root sh -c 'DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    /root/packages/*.deb gcc libc6-dev make'
in_root bash -c "cd /root && { $command; }"
