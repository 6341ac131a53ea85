# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Builds the guest's file system; sourced by boot.sh, which sets `root`, the folder that becomes the
# guest's /, and `system`, the Debian it is made from or nothing, and provides `die`.
#
# The archive is the same to the byte for the same contents: in counted mode the kernel's own work on it
# is part of what must repeat.

: "${root:?is set by boot.sh}"

# Copy a program, or any ELF file such as a plug-in, with the libraries it needs. Libraries lie flat in one
# folder that the loader searches by itself, so that run paths of the build tree do not matter.
add_program() { # SRC[:DST]; SRC is a path or a name on PATH
  local from=${1%%:*} to name path
  [[ $from == */* ]] || from=$(command -v "$from") || die "no program '${1%%:*}' on PATH"
  to=/bin/${from##*/}
  [[ $1 == *:* ]] && to=${1#*:}
  add_file "$from:$to"
  chmod 0755 "$root$to"
  while read -r name path; do
    case $name in
      missing) die "$from needs $path, which is not installed" ;;
      # A link of a Debian's own is absolute: here it would lead out of the guest's root.
      loader) [[ -e $root$path || -L $root$path ]] || add_file "$(readlink -f "$path"):$path" ;;
      *) [[ -e $root/lib/x86_64-linux-gnu/$name || -L $root/lib/x86_64-linux-gnu/$name ]] ||
        add_file "$(readlink -f "$path"):/lib/x86_64-linux-gnu/$name" ;;
    esac
  done < <(libraries "$from")
}

# One line each: "NAME PATH", "loader PATH" or "missing NAME". Nothing for a static program or a script.
libraries() {
  LC_ALL=C ldd "$1" 2>/dev/null | awk '
    /=> not found/     {print "missing", $1; next}
    $2 == "=>"         {print $1, $3; next}
    $1 ~ /^\/.*ld-/    {print "loader", $1}'
}

add_file() { # SRC[:DST]; a folder is copied whole
  local from=${1%%:*} to=${1#*:}
  [[ -e $from ]] || die "no file '$from'"
  [[ $to == /* ]] || to=/$to
  [[ $1 == *:* ]] || to=$(realpath -s "$from")
  mkdir -p "$root${to%/*}"
  if [[ -d $from ]]; then
    mkdir -p "$root$to"
    cp -RL "$from/." "$root$to"
  else
    cp -L "$from" "$root$to"
  fi
}

# A Debian's whole tree but for what nobody reads in a guest: the kernel copies it at every boot.
add_debian() { # DIR
  [[ -x $1/lib/systemd/systemd || -x $1/usr/lib/systemd/systemd ]] || die "no systemd in '$1'"
  local left_behind=(usr/share/{doc,man,locale,info,i18n,zoneinfo,bash-completion,zsh,fish,perl,perl5,gcc,gdb}
    usr/lib/x86_64-linux-gnu/{gconv,perl,perl-base,'*.a'} usr/lib/udev/hwdb.{bin,d} usr/include
    var/{cache,lib/apt,lib/dpkg,log} boot dev proc sys run tmp)
  mkdir -p "$root"
  tar -cf - -C "$1" --anchored "${left_behind[@]/#/--exclude=./}" . | tar -xpf - -C "$root"
  mkdir -p "$root"/{dev,proc,sys,run,tmp,var/{cache,log,tmp}}
  chmod 1777 "$root"/{tmp,var/tmp}
  ln -sf lib/systemd/systemd "$root/init"
  # It is not its first boot, and nothing in it has been updated.
  echo 00000000000000000000000000000001 >"$root/etc/machine-id"
  touch "$root"/{etc,var}/.updated
  # Nobody logs in, nothing is to be kept up to date, the disk is a memory, and all devices that matter
  # come later: emulated, each of these costs a good part of a second.
  local unit
  for unit in getty.target apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer \
    e2scrub_all.timer fstrim.timer dev-hugepages.mount dev-mqueue.mount sys-kernel-debug.mount \
    sys-kernel-tracing.mount {e2scrub_reap,modprobe@,systemd-{journal-flush,logind,modules-load}}.service \
    systemd-{random-seed,remount-fs,udev-trigger,update-utmp,update-utmp-runlevel,user-sessions}.service; do
    ln -sf /dev/null "$root/etc/systemd/system/$unit"
  done
}

enable_unit() { # NAME.service, or an instance of NAME@.service
  local wants=$root/etc/systemd/system/multi-user.target.wants from file=${1/@*./@.}
  mkdir -p "$wants"
  for from in /etc /lib; do
    [[ ! -e $root$from/systemd/system/$file ]] || break
  done
  [[ -e $root$from/systemd/system/$file ]] || die "no unit '$file' in '$system'"
  ln -sf "$from/systemd/system/$file" "$wants/$1"
}

# Append a module and what it needs, in order, to the list that the guest loads.
add_module() { # kernel folder, "NAME [PARAMETER=VALUE ...]"
  local name=${2%% *} parameters=${2#"${2%% *}"} path file
  local -a needed
  mapfile -t needed < <(module_paths "$1" "$name")
  [[ ${#needed[@]} -gt 0 ]] || die "the kernel in $1 has no module '$name' to load"
  for path in "${needed[@]}"; do
    file=/lib/modules/${path##*/}
    if [[ -e $root$file ]]; then # another module needed it too
      [[ $path != "${needed[-1]}" || -z $parameters ]] ||
        die "the module '$name' is loaded already, too early for$parameters"
      continue
    fi
    add_file "$path:$file"
    # The module that was asked for comes last, behind those it needs.
    [[ $path == "${needed[-1]}" ]] && file+=$parameters
    echo "$file" >>"$root/rig/modules"
  done
}

# The files of a module and those it needs, in order of loading; nothing if there is no such module or it
# is built in. No modprobe.d of this machine may leak in: options set there are not the guest's.
module_paths() { # kernel folder, NAME
  local release
  release=$(basename "$1"/lib/modules/*)
  modprobe -C /dev/null -d "$1" -S "$release" --show-depends "$2" 2>/dev/null | awk '$1 == "insmod" {print $2}'
}

has_module() { # kernel folder, NAME
  [[ -n $(module_paths "$@") ]]
}

# A Debian has files of users other than root; all that comes from elsewhere is root's.
pack() { # output file
  local owner=(-R 0:0)
  [[ ! $system ]] || owner=()
  find "$root" -exec touch -h -d @0 {} +
  (cd "$root" && find . -print0 | LC_ALL=C sort -z | cpio -o -0 -H newc "${owner[@]}" --reproducible --quiet) >"$1"
}
