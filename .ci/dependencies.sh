#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Install what is missing, from Debian 12.
set -euo pipefail
export LC_ALL=C

usage='usage: dependencies.sh build|test|flakes|bench|check|fuzz|package...
  build  the programs and the tests     bench  the benchmarks
  test   the virtual rig, a browser     check  format and static analysis
  package  the Debian package           fuzz   the fuzzers
  flakes   the load beside which tests are repeated
  Does nothing, and needs neither root nor network, when all of it is there.'

build=(
  make cmake ninja-build g++ pkg-config git
  libcomedi-dev libyaml-cpp-dev libspdlog-dev libfmt-dev libboost1.81-dev libboost-json1.81-dev
  libudunits2-dev libmuparser-dev libeigen3-dev libspectra-dev libcli11-dev libexpected-dev libsystemd-dev libdeflate-dev
  libzstd-dev libprotozero-dev
  cyclonedds-dev cyclonedds-tools
  libhdf5-dev libpugixml-dev libzip-dev libgtest-dev libgmock-dev
)
# npm fetches uPlot for the live page. Where it comes from elsewhere, Debian's would not go with it.
command -v npm >/dev/null || build+=(npm ca-certificates)
# The other presets are built in part: see tests/presets/run.
test=(clang clang-format clang-tidy libclang-rt-14-dev qemu-system-x86 busybox-static cpio kmod xz-utils libcomedi0 rt-tests can-utils
  hdf5-tools python3 chromium chromium-driver doxygen systemd mmdebstrap iproute2 openssl python3-canmatrix)
bench=(libbenchmark-dev libsundials-dev valgrind strace)
check=(clang-format clang-tidy)
fuzz=(clang libclang-rt-14-dev)
package=(help2man python3 lintian dpkg-dev)
flakes=(stress-ng)

say() { printf 'dependencies.sh: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }

# Prints those of the packages that are not installed.
missing() {
  local installed package
  installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null |
    awk '$1 ~ /^.i/ {print $2}') || true
  for package; do
    grep -qxF "$package" <<<"$installed" || printf '%s\n' "$package"
  done
}

log=$(mktemp "${TMPDIR:-/tmp}/hild-dependencies.XXXXXX")
trap 'rm -f "$log"' EXIT

# As root; a mirror that answers badly may answer well a little later. Its output shows on failure.
apt_get() {
  local attempt
  for attempt in 1 2 3; do
    ((attempt == 1)) || { say "apt-get $1 failed, trying again"; sleep $((attempt * 5)); }
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 "$@" >"$log" 2>&1 </dev/null && return
  done
  cat "$log" >&2
  say "apt-get $1 failed"
  return 1
}

[[ $# -gt 0 ]] || { printf '%s\n' "$usage" >&2; exit 1; }
wanted=()
for purpose; do
  case $purpose in
    build | test | flakes | bench | check | fuzz | package) declare -n group=$purpose; wanted+=("${group[@]}") ;;
    --help) printf '%s\n' "$usage"; exit 0 ;;
    *) printf '%s\n' "$usage" >&2; exit 1 ;;
  esac
done

command -v dpkg-query >/dev/null || die "this is not Debian; install the likes of: ${wanted[*]}"
mapfile -t packages < <(missing "${wanted[@]}")
[[ ${#packages[@]} -gt 0 ]] || exit 0

as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null ||
    die "not root, and no sudo; as root: apt-get install --no-install-recommends ${packages[*]}"
  as_root=(sudo)
  say "not root: apt-get runs under sudo"
fi
say "fetching the package lists"
apt_get update || say "going on with the lists that are there"
say "installing ${#packages[@]} packages: ${packages[*]}"
apt_get install -y --no-install-recommends "${packages[@]}" || exit 1
say "done"
