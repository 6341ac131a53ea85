#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The package on a bare Debian 12: apt installs it, the demonstration runs, models can be built for it.
#   bare_root_test.sh BUILD
# 77: cannot be tried here.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$1
status=0
root=$("$here/bare_root.sh" "$build") || status=$?
((status == 0)) || exit "$status"
work=$(mktemp -d "${TMPDIR:-/tmp}/hild-bare.XXXXXX")
trap 'rm -rf "$work"' EXIT
# shellcheck source=../rig/checks.sh disable=SC2154
source "$here/../rig/checks.sh"

# In the root, with /proc and a /dev/shm of its own; what is written into /tmp and /dev/shm is gone after it.
in_root() {
  unshare --mount sh -c '
    mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/dev/shm" && mount --bind "$2" "$1/tmp" || exit
    root=$1; shift 2
    exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C.UTF-8 "$@"' \
    - "$root" "$work" "$@"
}
there() { [[ -s $root$1 ]] && echo yes; }

check "apt has installed it" "install ok installed" "$(in_root dpkg-query -W -f '${Status}' hild)"
check "and no file of it is amiss" "" "$(in_root dpkg --verify hild | grep -v ' /usr/share/doc/' || true)"
check "the user of the service is there" hild "$(in_root sh -c 'getent passwd hild' | cut -d : -f 1)"
check "in the group of the converters" iocard "$(in_root id -Gn hild | tr ' ' '\n' | grep -x iocard)"
for file in /lib/systemd/system/hild@.service /lib/udev/rules.d/60-hild.rules /usr/libexec/hild/hild-model /usr/libexec/hild/hild-dds \
  /usr/share/man/man1/hild.1.gz /usr/share/man/man1/hildctl.1.gz /usr/share/man/man5/hild.yaml.5.gz \
  /usr/share/bash-completion/completions/hildctl /usr/share/zsh/vendor-completions/_hildctl \
  /usr/share/fish/vendor_completions.d/hildctl.fish \
  /usr/share/bash-completion/completions/hild /usr/share/zsh/vendor-completions/_hild \
  /usr/share/fish/vendor_completions.d/hild.fish \
  /usr/share/doc/hild/README.md /usr/share/doc/hild/install.md /etc/hild/demo.yaml \
  /usr/share/doc/hild/examples/demo.yaml; do
  check "$file" yes "$(there "$file")"
done
check "the demonstration's configuration is the administrator's" /etc/hild/demo.yaml \
  "$(in_root dpkg-query -W -f '${Conffiles}' hild | awk '{print $1}')"

# What programs, man pages and a new project cite can be opened there.
cited() { # reads text; prints the pages that it names and that are not there, and those in another tree
  grep -oE '[^ `"(]*docs?/[A-Za-z0-9/_.-]*\.md' | sort -u | while read -r page; do
    [[ $page == /* && -s $root$page ]] || echo "$page"
  done
}
help() {
  in_root sh -c 'for p in hild hildctl; do $p --help; for c in $($p --help | sed -n "s/^  \([a-z-]*\) .*/\1/p"); do
    $p $c --help; done; done; hild methods multirate' 2>&1 || true
}
help >"$work/help"
check_says "help cites pages" /usr/share/doc/hild/control.md "$work/help"
check "each of them is there" "" "$(cited <"$work/help")"
zcat "$root"/usr/share/man/man[15]/hild*.gz | sed -e 's/\\-/-/g' -e 's/\\fI\\,//g' >"$work/man"
check_says "man pages cite pages" /usr/share/doc/hild/models.md "$work/man"
check "each of these is there too" "" "$(cited <"$work/man")"
check "nothing is of the tree it was built in" "" "$(grep -F "$(cd "$here/../.." && pwd)/" "$work/man" "$work/help" || true)"
# shellcheck disable=SC2016 # COMPREPLY is the root's
completed='. /usr/share/bash-completion/completions/hildctl; COMP_LINE="hildctl sta"; COMP_POINT=11; _hildctl; echo "${COMPREPLY[*]}"'
check "bash completes the client's commands" status "$(in_root bash -c "$completed")"
completed=${completed//hildctl/hild} completed=${completed//hild sta/hild exp} completed=${completed//=11/=8}
check "and the daemon's" export "$(in_root bash -c "$completed")"

demo=/usr/share/doc/hild/examples/demo.yaml
check_run "the demonstration runs" 0 "$work/demo" \
  in_root hild run "$demo" --offline --duration 5 --report /tmp/report.json
check "each of its frames" 5000 "$(value "$work/report.json" frames)"
check "and none late" 0 "$(value "$work/report.json" overruns.total)"

# A model is built against what the package brought, by this machine's compiler: the bare one has none.
check_run "a project for a model is made" 0 "$work/new" in_root hild new-model heat-pump --folder /tmp/heat-pump
check "which names what is there to read" "" "$(cited <"$work/heat-pump/README.md")"
check_run "it finds the package" 0 "$work/configure" cmake -S "$work/heat-pump" -B "$work/heat-pump/build" -G Ninja \
  -DCMAKE_PREFIX_PATH="$root/usr" -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=ON
check_says "that of the root" "^hild_DIR:PATH=$root" "$work/heat-pump/build/CMakeCache.txt"
check_run "it is built" 0 "$work/built" cmake --build "$work/heat-pump/build" --target heat_pump
check_run "and runs in the root" 0 "$work/ran" \
  in_root hild run /tmp/heat-pump/build/heat_pump.so --offline --duration 0.1

if command -v lintian >/dev/null; then
  check_run "lintian finds nothing" 0 "$work/lintian" lintian --fail-on error,warning "$build"/package/*.deb
fi
((failures == 0))
