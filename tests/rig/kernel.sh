#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Fetch Debian's PREEMPT_RT kernel into a folder, for the guest only: nothing is installed in this system.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin # depmod lives there, which is not on every PATH

usage='usage: kernel.sh DIR
  Put the kernel behind linux-image-rt-amd64 into DIR:
    DIR/version       package and version, as apt names them
    DIR/vmlinux       the bare kernel, which boots some seconds sooner than the compressed one
    DIR/lib/modules   its modules, with their dependencies worked out
  Does nothing when that version is there already. Needs apt lists, or the network to fetch them.'

meta=linux-image-rt-amd64
attempts=4

say() { printf 'kernel.sh: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }

# The concrete package and version that the meta package stands for today: "linux-image-6.1.0-N-rt-amd64=V".
newest() {
  local package version
  package=$(apt-cache depends "$meta" 2>/dev/null | awk '/Depends: linux-image-/ {print $2; exit}')
  [[ -n $package ]] || return 1
  version=$(apt-cache policy "$package" | awk '/Candidate:/ {print $2}')
  [[ -n $version && $version != '(none)' ]] || return 1
  printf '%s=%s\n' "$package" "$version"
}

# A lookup or a download fails with lists that are missing or have aged: fresh lists are then worth a minute.
refresh() {
  say "fetching the package lists"
  apt-get -qq update || say "apt-get update failed (is this root, and is there a network?)"
}

# apt-get download checks the archive's signature. As root it would drop to a user who cannot write here.
download() { # package=version, folder
  (cd "$2" && apt-get -qq -o APT::Sandbox::User=root download "$1")
}

# The compressed kernel's header tells where its payload lies (Linux, Documentation/x86/boot.rst):
# setup_sects at 0x1f1, payload_offset at 0x248, payload_length at 0x24c. Behind the compressed stream the
# payload ends in four bytes of length.
bare_kernel() { # vmlinuz, vmlinux
  field() { od -An -tu"$3" -j$(($2)) -N"$3" "$1" | tr -d ' '; }
  local from length
  from=$((($(field "$1" 0x1f1 1) + 1) * 512 + $(field "$1" 0x248 4)))
  length=$(($(field "$1" 0x24c 4) - 4))
  dd if="$1" iflag=skip_bytes,count_bytes skip="$from" count="$length" bs=1M status=none | xz -dc >"$2"
}

unpack() { # package file, folder
  local release
  dpkg-deb -x "$1" "$2"
  release=$(basename "$2"/lib/modules/*)
  bare_kernel "$2/boot/vmlinuz-$release" "$2/vmlinux" ||
    die "the kernel in $(basename "$1") is not packed with xz as expected"
  depmod -b "$2" "$release"
  rm -rf "${2:?}"/{boot,usr}
}

[[ $# -eq 1 && $1 != -* ]] || { printf '%s\n' "$usage" >&2; exit 1; }
for tool in apt-get dpkg-deb depmod xz flock; do
  command -v "$tool" >/dev/null || die "$tool is missing; see the list of packages in tests/rig/README.md"
done

mkdir -p "$1"
dir=$(cd "$1" && pwd)
exec 9>"$dir/.lock"
flock 9 # two tests may ask at once: one fetches, the other finds it done

for ((attempt = 1; ; ++attempt)); do
  if wanted=$(newest); then
    [[ -f $dir/version && $(<"$dir/version") == "$wanted" ]] && exit 0
    rm -rf "$dir"/.new
    mkdir "$dir"/.new
    say "downloading $wanted"
    download "$wanted" "$dir/.new" && break
  fi
  if ((attempt == attempts)); then
    [[ -f $dir/version ]] || die "cannot fetch $meta; apt-cache policy $meta tells what apt knows of it"
    say "cannot fetch the newest $meta; going on with $(<"$dir/version")"
    exit 0
  fi
  sleep $((2 * attempt - 2))
  refresh
done

package=("$dir"/.new/*.deb)
unpack "${package[0]}" "$dir/.new"
# The version is written last: a folder without it is one that was cut short, and is made again.
rm -rf "${dir:?}"/{version,lib,vmlinux}
mv "$dir/.new/lib" "$dir/.new/vmlinux" "$dir"
printf '%s\n' "$wanted" >"$dir/version"
rm -rf "$dir/.new"
