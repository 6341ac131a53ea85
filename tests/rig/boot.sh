#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Boot the virtual rig, run a script in it, come back with the script's exit status.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin # modprobe and comedi_config live there, which is not on every PATH

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2016 # names of variables are for the reader
usage='usage: boot.sh [OPTION]... SCRIPT [ARGUMENT]...
  Run SCRIPT with busybox sh as root of a PREEMPT_RT guest with Comedi devices.

  --mode fast|counted    fast: two CPUs, as quick as emulation goes (default)
                         counted: one CPU, one instruction a nanosecond, the same to the byte each time
  --program SRC[:DST]    a program or plug-in, with its libraries; SRC may be a name on PATH;
                         DST is /bin/NAME if not given
  --file SRC[:DST]       a file or folder; DST is the same path if not given
  --root DIR             boot the Debian in DIR, with its systemd, in the place of busybox: SCRIPT runs as
                         rig.service once multi-user.target is there, devices come by rig-devices.service;
                         documents and the like are left behind
  --enable UNIT          of that Debian, to be started by multi-user.target
  --module "NAME [PARAMETER=VALUE]..."   one more kernel module, with those it needs
  --out DIR              where files go that the script leaves in /out
  --log FILE             what the script says goes to FILE, not to standard output
  --console FILE         keep the messages of the guest'"'"'s kernel
  --port FILE            bytes that the guest strobes out of the parallel port (/dev/comedi1) go to FILE
  --timeout S            host seconds until the guest is stopped (default 120)
  --memory MIB           (default 512)
  --append WORDS         more words for the kernel'"'"'s command line
  --kernel DIR           where kernel.sh put the kernel (default $HILD_RIG_KERNEL, else build/rig/kernel)

  Exit status: that of SCRIPT; 124 if time ran out; 125 if the rig itself failed or the guest crashed.'

say() { printf 'boot.sh: %s\n' "$*" >&2; }
die() { say "$@"; exit 125; }

mode=fast out='' log='' console='' port='' timeout=120 memory=512 append='' system=''
kernel=${HILD_RIG_KERNEL:-$here/../../build/rig/kernel}
programs=() files=() modules=() units=(rig.service rig-devices.service)
while [[ ${1-} == -* ]]; do
  [[ $1 == --help ]] && { printf '%s\n' "$usage"; exit 0; }
  [[ $# -ge 2 ]] || die "$1 needs a value; see boot.sh --help"
  case $1 in
    --mode) mode=$2 ;;
    --program) programs+=("$2") ;;
    --file) files+=("$2") ;;
    --root) system=$2 ;;
    --enable) units+=("$2") ;;
    --module) modules+=("$2") ;;
    --out) out=$2 ;;
    --log) log=$2 ;;
    --console) console=$2 ;;
    --port) port=$2 ;;
    --timeout) timeout=$2 ;;
    --memory) memory=$2 ;;
    --append) append=$2 ;;
    --kernel) kernel=$2 ;;
    *) die "unknown option '$1'; see boot.sh --help" ;;
  esac
  shift 2
done
[[ $# -ge 1 ]] || { printf '%s\n' "$usage" >&2; exit 125; }
script=$1
shift
[[ -f $script ]] || die "no script '$script'"
[[ $mode == fast || $mode == counted ]] || die "--mode: expected fast or counted, found '$mode'"
[[ $timeout =~ ^[1-9][0-9]*$ ]] || die "--timeout: expected whole seconds, found '$timeout'"
[[ $memory =~ ^[1-9][0-9]*$ ]] || die "--memory: expected whole MiB, found '$memory'"
[[ -f $kernel/version ]] || die "no kernel in '$kernel': run $here/kernel.sh '$kernel'"
busybox=/bin/busybox
for tool in qemu-system-x86_64 taskset "$busybox" cpio modprobe comedi_config; do
  command -v "$tool" >/dev/null || die "$tool is missing; see the list of packages in tests/rig/README.md"
done
! ldd "$busybox" &>/dev/null || die "$busybox is not the static one: install busybox-static"

work=$(mktemp -d "${TMPDIR:-/tmp}/rig.XXXXXX")
trap 'rm -rf "$work"' EXIT
root=$work/root
umask 022

# shellcheck source=initramfs.bash
source "$here/initramfs.bash"
mkdir -p "$root/rig"
: >"$root/rig/modules"
if [[ $system ]]; then
  add_debian "$system"
  for unit in rig rig-devices; do
    add_file "$here/guest/$unit.service:/etc/systemd/system/$unit.service"
  done
  for unit in "${units[@]}"; do enable_unit "$unit"; done
else
  add_program "$busybox"
  add_file "$here/guest/init:/init"
fi
add_program comedi_config
for program in ${programs[@]+"${programs[@]}"}; do add_program "$program"; done
for file in ${files[@]+"${files[@]}"}; do add_file "$file"; done
add_file "$here/guest/devices:/rig/devices"
add_file "$here/guest/session:/rig/session"
add_file "$script:/rig/script"
if [[ ! $system ]]; then
  printf 'root:x:0:0:root:/root:/bin/sh\n' >"$root/rig/passwd"
  add_file "$root/rig/passwd:/etc/passwd"
fi
printf 'export RIG_MODE=%s\n' "$mode" >"$root/rig/environment"
printf 'exec sh /rig/script%s\n' "$(printf ' %s' "${@@Q}")" >"$root/rig/run"

# comedi_test would attach by itself at the first minor that is not reserved; it is told not to, and is
# attached by name where it can also be detached.
add_module "$kernel" 'comedi comedi_num_legacy_minors=4'
add_module "$kernel" 'comedi_test noauto=1'
echo '/dev/comedi0 comedi_test 1000000,100000' >"$root/rig/devices.list"
if has_module "$kernel" comedi_parport; then
  add_module "$kernel" comedi_parport
  echo '/dev/comedi1 comedi_parport 0x378' >>"$root/rig/devices.list"
fi
for module in ${modules[@]+"${modules[@]}"}; do add_module "$kernel" "$module"; done
pack "$work/initramfs"

# shellcheck disable=SC2054 # the commas are qemu's
machine=(-accel tcg -machine pc -cpu max -m "$memory" -nodefaults -display none -monitor none -no-reboot
  -chardev "file,id=port,path=$work/port" -device isa-parallel,chardev=port
  -serial "file:$work/console" -serial "file:$work/said" -serial "file:$work/out.tgz"
  -kernel "$kernel/vmlinux" -initrd "$work/initramfs")
words='console=ttyS0 loglevel=4 panic=-1 oops=panic tsc=reliable norandmaps'
[[ ! $system ]] || words+=' systemd.unit=multi-user.target systemd.firstboot=no'
emulator=(qemu-system-x86_64)
case $mode in
  fast) machine+=(-smp 2); words+=' no_timer_check' ;;
  counted)
    # On one CPU: else its other thread may read the guest's time while the guest is about to halt, and skip too much.
    last_cpu=$(sed -n 's/^Cpus_allowed_list:.*[^0-9]\([0-9]*\)$/\1/p' /proc/self/status)
    emulator=(taskset --cpu-list "$last_cpu" "${emulator[@]}")
    machine+=(-smp 1 -seed 42 -rtc 'base=2024-01-01T00:00:00,clock=vm' -icount 'shift=0,sleep=off')
    ;;
esac

# Serial lines are files: with a pipe the host's timing reaches the guest, and counted runs differ.
boot() {
  : >"$work/console"
  : >"$work/said"
  : >"$work/out.tgz"
  : >"$work/port"
  status=0
  timeout --kill-after=5 "$timeout" "${emulator[@]}" "${machine[@]}" -append "$words${append:+ $append}" \
    </dev/null >"$work/qemu" 2>&1 || status=$?
}

# The guest says last how its script ended, and what it has handed back: the archive's checksum.
result='' handed=''
read_result() {
  result='' handed=''
  [[ $(tail -n 1 "$work/said") =~ ^rig:\ exit\ ([0-9]+)\ files\ ([0-9a-f]{32})$ ]] || return 0
  result=${BASH_REMATCH[1]} handed=${BASH_REMATCH[2]}
  sed -i '$d' "$work/said"
}

# An emulated serial line may lose bytes where the host is busy. That says nothing of what was run: once more.
boot_most=2
for ((n = 1; ; ++n)); do
  boot
  read_result
  came=$(md5sum <"$work/out.tgz")
  [[ $handed && ${came%% *} != "$handed" ]] || break
  damage="the files that the guest handed back came damaged ($(wc -c <"$work/out.tgz") bytes, compressed)"
  ((n < boot_most)) || die "$damage; the rig has failed, $n boots of it"
  say "$damage; it boots once more"
done
if [[ -n $log ]]; then cp "$work/said" "$log"; else cat "$work/said"; fi
[[ -z $console ]] || cp "$work/console" "$console"
[[ -z $port ]] || cp "$work/port" "$port"
if [[ -n $out && $result && -s $work/out.tgz ]]; then
  mkdir -p "$out"
  tar -xzf "$work/out.tgz" --no-same-owner -C "$out" || die "the files from the guest are no archive"
fi
[[ -z $result ]] || exit "$result"

if [[ $status -eq 124 || $status -eq 137 ]]; then
  code=124
  say "stopped after $timeout s: the script had not ended"
else
  code=125
  say "the guest ended without a result (exit status of qemu: $status)"
fi
# Only warnings and worse are on the console, so this is short, and a panic's first line is in it.
cat "$work/qemu" >&2
tail -n 60 "$work/console" | sed 's/^/boot.sh: console: /' >&2
exit "$code"
