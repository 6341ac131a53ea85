# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Builds the guest's file system; sourced by boot.sh, which sets `root`, the folder that becomes the
# guest's /, and provides `die`.
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
      loader) add_file "$(readlink -f "$path"):$path" ;;
      *) [[ -e $root/lib/x86_64-linux-gnu/$name ]] ||
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

pack() { # output file
  find "$root" -exec touch -h -d @0 {} +
  (cd "$root" && find . -print0 | LC_ALL=C sort -z | cpio -o -0 -H newc -R 0:0 --reproducible --quiet) >"$1"
}
