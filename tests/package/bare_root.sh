#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A bare Debian 12 in which apt has installed the package.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin # chroot lives there, which is not on every PATH
export LC_ALL=C

usage='usage: bare_root.sh BUILD [PACKAGE...]
  Make BUILD/bare-debian/root, with the package hild in BUILD/package, and print its path. With further names of
  packages BUILD/bare-debian/furnished, with these and python3-hild too. Does nothing when it is there already.
  Needs root and, the first time, the network; packages once fetched are kept.
  Exit status 77: cannot be made here.'

say() { printf 'bare_root.sh: %s\n' "$*" >&2; }
skip() { say "skipped: $*"; exit 77; }
die() { say "$@"; exit 1; }

[[ $# -ge 1 && $1 != -* ]] || { printf '%s\n' "$usage" >&2; exit 1; }
((EUID == 0)) || skip "only root may make a root file system and enter it"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is missing: .ci/dependencies.sh test"
build=$(cd "$1" && pwd)
shift
extra=("$@")
mkdir -p "$build/package"
newest() { # name of a package
  find "$build/package" -maxdepth 1 -name "$1_*.deb" -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d ' ' -f 2-
}
packages=("$(newest hild)")
((${#extra[@]} == 0)) || packages+=("$(newest python3-hild)")
for package in "${packages[@]}"; do
  [[ $package ]] || skip "no package in $build/package: cmake --build $build --target deb"
  [[ ! $build/hild -nt $package ]] ||
    die "$package is older than $build/hild: cmake --build $build --target deb"
done

dir=$build/bare-debian
root=$dir/root
((${#extra[@]} == 0)) || root=$dir/furnished
mkdir -p "$dir/archives"
exec 9>"$dir/.lock"
flock 9 # two tests may ask at once: one makes it, the other finds it done

# It is made again when this script or what is to be in it is another.
made=$root.made
wanted="$(sha256sum "${packages[@]}" "${BASH_SOURCE[0]}" | cut -d ' ' -f 1 | tr '\n' ' ')${extra[*]}"
[[ -f $made && $(<"$made") == "$wanted" ]] && { echo "$root"; exit 0; }

# Without recommended packages, documents that no package needs, and translations.
bare() {
  say "making a bare Debian 12"
  mmdebstrap --quiet --variant=minbase --include=systemd-sysv,udev,kmod \
    --skip=cleanup/apt/lists,download/empty,essential/unlink,cleanup/apt/cache \
    --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Languages "none"' \
    --aptopt='Acquire::Retries "3"' --dpkgopt=force-unsafe-io \
    --setup-hook="mkdir -p \"\$1\"/var/cache/apt/archives; cp -n $dir/archives/*.deb \"\$1\"/var/cache/apt/archives 2>/dev/null || true" \
    --customize-hook="cp -n \"\$1\"/var/cache/apt/archives/*.deb $dir/archives" \
    --customize-hook='rm -f "$1"/var/cache/apt/archives/*.deb' \
    bookworm "$dir/bare.new.tar"
  mv "$dir/bare.new.tar" "$dir/bare.tar"
}

# As a user would, in the root, where no service may start.
in_root() {
  unshare --mount sh -c '
    mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/dev/shm" || exit
    root=$1; shift
    exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"' \
    - "$root" "$@"
}

install_packages() {
  local files=("${packages[@]##*/}")
  rm -rf "$made" "$root"
  mkdir "$root"
  tar -xf "$dir/bare.tar" -C "$root"
  cp "${packages[@]}" "$root/tmp/"
  chmod 0644 "$root"/tmp/*.deb
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  cp -n "$dir"/archives/*.deb "$root/var/cache/apt/archives/"
  in_root apt-get -qq -y -o Dpkg::Use-Pty=0 install "${files[@]/#//tmp/}" "${extra[@]}" >"$dir/install.log" 2>&1 </dev/null ||
    return
  cp -n "$root"/var/cache/apt/archives/*.deb "$dir/archives/"
  rm -f "$root"/var/cache/apt/archives/*.deb "$root"/tmp/*.deb "$root/etc/resolv.conf"
}

made_now=
[[ -f $dir/bare.tar && $dir/bare.tar -nt ${BASH_SOURCE[0]} ]] || { bare; made_now=yes; }
if ! install_packages; then
  # Lists age: what they name may be gone from the mirror.
  [[ ! $made_now ]] || { cat "$dir/install.log" >&2; die "apt cannot install ${packages[*]} ${extra[*]}"; }
  bare
  install_packages || { cat "$dir/install.log" >&2; die "apt cannot install ${packages[*]} ${extra[*]}"; }
fi
printf '%s\n' "$wanted" >"$made"
echo "$root"
