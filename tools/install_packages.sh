#!/bin/sh
# install_packages.sh [PACKAGE...] - install the Debian packages that are missing; silent where none is. Without names:
# those that the build needs, as the Makefile lists them.
#
# As root, or by sudo where that is allowed. Otherwise the line for an administrator is printed, and the exit status is 1.
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(sed -n 's/^PACKAGES = //p' "$(dirname "$0")/../Makefile")

missing=
for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
        missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if ! command -v apt-get >/dev/null; then
    echo "These packages are missing:$missing. Install them the way your system does (the names are Debian's)." >&2
    exit 1
fi

# sudo asks for a password where there is someone to type it.
may_sudo() { command -v sudo >/dev/null && { sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }; }; }

if [ "$(id -u)" = 0 ]; then
    sudo=
elif may_sudo; then
    sudo=sudo
else
    cat >&2 <<MESSAGE
Packages are missing, and this user may not install any. Nothing was changed. Ask an administrator to run

    apt-get update && apt-get install -y --no-install-recommends$missing

and then give this command again.
MESSAGE
    exit 1
fi
echo "Installing:$missing" >&2
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive sh -c "apt-get update -q && \
    apt-get -o DPkg::Lock::Timeout=600 install -q -y --no-install-recommends $missing" >&2
