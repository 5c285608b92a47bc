#!/bin/sh
# install_packages.sh PACKAGE... - install the Debian packages that are missing; silent where none is.
missing=
for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
        missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if ! command -v apt-get >/dev/null; then
    echo "These packages are missing:$missing. Install them the way your system does." >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi
echo "Installing:$missing" >&2
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive sh -c "apt-get update -q && \
    apt-get -o DPkg::Lock::Timeout=600 install -q -y --no-install-recommends $missing" >&2
