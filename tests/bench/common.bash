# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What the benchmarks share; sourced by each of them. A benchmark measures hild and its peer in the
# same run and adds rows to the file $BENCH_ROWS, or prints them; one figure each:
#   benchmark, figure, unit, hild's, peer, peer's, ratio, bound, verdict    (tab-separated)
# Verdicts: ok, over (out of its bound), busy (the same, of a time, while others kept the machine busy), info
# (no bound), skipped, failed (nothing was measured).
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rig=$here/../rig
build=${BENCH_BUILD:-$here/../../build}
benchmark=$(basename "$0" .sh)
work=$(mktemp -d "${TMPDIR:-/tmp}/hild-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT

# shellcheck source=../rig/checks.sh
source "$rig/checks.sh" # value

say() { printf '%s: %s\n' "$benchmark" "$*" >&2; }

# Copies by `rep movsb` count an instruction a byte, and which ones are so depends on the processor: none here.
never=1000000000
counting_tunables=glibc.cpu.x86_rep_movsb_threshold=$never:glibc.cpu.x86_rep_stosb_threshold=$never
counting_tunables+=:glibc.cpu.x86_non_temporal_threshold=$never
callgrind() { GLIBC_TUNABLES=$counting_tunables valgrind --tool=callgrind "$@"; }

calc() { # expression of awk
  awk "BEGIN { printf \"%.6g\", ($1) }"
}

write_row() { # figure, unit, hild's, peer, peer's, ratio, bound, verdict
  local IFS=$'\t'
  if [[ -n ${BENCH_ROWS-} ]]; then
    echo "$benchmark"$'\t'"$*" >>"$BENCH_ROWS"
  else
    echo "$benchmark"$'\t'"$*"
  fi
}

# Whether figures that depend on what else the machine does are not wanted.
only_counted() { [[ -n ${BENCH_COUNTED-} ]]; }

# What others have had of the processors since this benchmark began, in processors. Ticks are hundredths of
# a second: those of all, less those of this shell and of what it waited for.
all_ticks() { awk '$1 == "cpu" { print $2 + $3 + $4 + $7 + $8 + $9 }' /proc/stat; }
own_ticks() { tr 'ms' '  ' | awk '{ sum += 60 * ($1 + $3) + $2 + $4 } END { print 100 * sum }'; }
began_ticks=$(all_ticks) began_at=$EPOCHREALTIME
note_own_times() { times >"$work/times"; } # where no shell is between: a shell made to read them has none
others_take() { # after note_own_times
  calc "($(all_ticks) - $began_ticks - $(own_ticks <"$work/times")) / (100 * ($EPOCHREALTIME - $began_at) + 1)"
}
most_for_others=0.15

# A time that is out of its bound says nothing while others keep the machine busy.
verdict_of() { # figure, unit, number, <= or >= or ==, bound; after note_own_times
  local verdict others
  verdict=$(verdict "${@:3}")
  if [[ $verdict == over && $2 =~ ^(ns|us|s|Hz|times)($|[ /]) ]]; then
    others=$(others_take)
    if awk "BEGIN { exit !($others > $most_for_others) }"; then
      say "$1: others used $others of a processor meanwhile: measure again when they are done"
      verdict=busy
    fi
  fi
  echo "$verdict"
}

verdict() { # number, <= or >= or ==, bound
  if awk "BEGIN { exit !($1 $2 $3) }"; then echo ok; else echo over; fi
}

is_number() { [[ $1 =~ ^-?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?$ ]]; }

compare() { # figure, unit, hild's, peer, peer's, <= or >=, bound of the ratio; without a bound, to know
  if ! is_number "$3" || ! is_number "$5" || ! awk "BEGIN { exit !($3 > 0 && $5 > 0) }"; then
    failed "$1" "hild '$3', $4 '$5'"
    return
  fi
  local ratio
  ratio=$(calc "$3 / $5")
  if [[ -z ${6-} ]]; then
    write_row "$1" "$2" "$3" "$4" "$5" "$ratio" '' info
  else
    note_own_times
    write_row "$1" "$2" "$3" "$4" "$5" "$ratio" "$6 $7" "$(verdict_of "$1" "$2" "$ratio" "$6" "$7")"
  fi
}

limit() { # figure, unit, hild's, <= or >= or ==, bound; without a bound, to know
  if ! is_number "$3"; then
    failed "$1" "found '$3'"
  elif [[ -z ${4-} ]]; then
    write_row "$1" "$2" "$3" '' '' '' '' info
  else
    note_own_times
    write_row "$1" "$2" "$3" '' '' '' "$4 $5" "$(verdict_of "$1" "$2" "$3" "$4" "$5")"
  fi
}

failed() { # figure, why
  say "$1: $2"
  write_row "$1" '' '' '' '' '' '' failed
}

skipped() { # figure, why
  say "$1: skipped: $2"
  write_row "$1" '' '' '' '' '' "$2" skipped
}

median() { # numbers
  printf '%s\n' "$@" | sort -g |
    awk '{ v[NR] = $1 } END { printf "%.6g", NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

can_be_real_time() { chrt -f 80 true 2>/dev/null; }

# All programs measured on the plain machine get what hild and cyclictest ask for by themselves.
hold_latency() {
  if { exec 8>/dev/cpu_dma_latency; } 2>/dev/null; then printf '\0\0\0\0' >&8; fi
}

# A run of hild on this machine; its report is in $work/hild.json, what it says in $work/hild.txt.
run_hild() { # configuration, hild's options...
  local name=$1
  shift
  rm -f "$work/hild.json" # nothing of the run before may be taken for this one's
  if ! "$build/hild" run "$here/configs/$name" --report "$work/hild.json" "$@" >"$work/hild.txt" 2>&1 ||
    [[ ! -s $work/hild.json ]]; then
    tail -n 5 "$work/hild.txt" >&2
    return 1
  fi
}

# Runs a script in a guest where an instruction takes a nanosecond; what it says is in $work/said. A
# line there is "name value".
counted() { # seconds it may take, boot.sh's options..., script
  local timeout=$1
  shift
  local program
  for program in hild hild_bench; do
    [[ -e $work/$program ]] || strip -o "$work/$program" "$build/$program"
  done
  [[ -n ${HILD_RIG_KERNEL-} ]] || "$rig/kernel.sh" "$rig/../../build/rig/kernel" || return
  "$rig/boot.sh" --mode counted --timeout "$timeout" --log "$work/said" --program cyclictest \
    --program "$work/hild" --program "$work/hild_bench" --program "$build/rig/bare_loop" \
    --program "$build/rig/hog" --file /usr/share/xml/udunits --file "$rig/checks.sh:/rig/checks.sh" \
    --file "$here/configs:/bench" "$@" && return
  local status=$?
  sed 's/^/      | /' "$work/said" >&2
  return $status
}

said() { # name
  sed -n "s/^$1 //p" "$work/said" | tail -n 1
}
