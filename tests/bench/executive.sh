#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Instructions a frame, by what spends them: a motor by RTAM-2 behind simulated converters, each frame
# recorded. Offline, counted by callgrind: the slope between two lengths, of the frame thread alone,
# is exact.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
short=2 long=12 rate=1000
declare -A bound=([frame]=990 [stage]=1495 [aged]=1050)
# Images that a converter makes at a pace of its own are never of the instant that inputs are wanted of.
declare -A options=(
  [frame]=integrator.sampling=frame
  [stage]=integrator.sampling=stage
  [aged]='devices.rig.autonomous={rate: 999 Hz}'
)
declare -A called=([frame]='sampling frame' [stage]='sampling stage' [aged]='images of another pace')

# One line a part: "part instructions". Whose a function is, its own name tells, before any argument.
parts_of() { # kind, seconds
  local out=$work/$1.$2 thread
  callgrind --separate-threads=yes --separate-callers=2 --callgrind-out-file="$out" \
    "$build/hild" run "$here/configs/motor_sim.yaml" --set "${options[$1]}" \
    --duration "$2" --offline >"$out.txt" 2>&1 || { cat "$out.txt" >&2; return 1; }
  thread=$(grep -l 'FrameLoop::run(' "$out"-*)
  callgrind_annotate --auto=no --threshold=100 "$thread" 2>/dev/null | awk '
    $1 ~ /^[0-9,]+$/ && /:/ {
      count = $1
      gsub(",", "", count)
      line = $0
      sub(/^ *[0-9,]+ *\([^)]*\) */, "", line)
      sub(/^[^:]*:/, "", line)      # file:
      gsub(/\(anonymous namespace\)/, "", line)
      # "function'\''caller": what belongs to nobody by its name, such as memcpy, is its caller'\''s.
      if (line !~ /^hild::/) sub(/^[^'\'']*'\''/, "", line)
      part = "other"
      if (line ~ /^hild::(exec|io)::/) part = "executive"
      else if (line ~ /^hild::(sim|comedi)::|^hild::rt::Seqlock/) part = "driver"
      else if (line ~ /^hild::(model|numerics)::/) part = "plant"
      else if (line ~ /^[^(]*Clock::/) part = "clock"
      else if (line ~ /nanosleep|sleep_for|Doorbell/) part = "waiting"
      total[part] += count
    }
    END { for (part in total) printf "%s %.0f\n", part, total[part] }'
}

count() { # kind, part; sets `count`
  count=$(awk -v part="$2" -v frames="$(((long - short) * rate))" '
    $1 == part { n[FILENAME] = $2 }
    END { printf "%.1f", (n[ARGV[2]] - n[ARGV[1]]) / frames }' "$work/$1.short" "$work/$1.long")
}

for kind in frame stage aged; do
  parts_of $kind $short >"$work/$kind.short"
  parts_of $kind $long >"$work/$kind.long"
  declare -A spent=()
  for part in executive other driver plant clock waiting; do
    count $kind $part
    spent[$part]=$count
  done
  # What cannot be told counts as the executive's.
  all=$(calc "${spent[executive]} + ${spent[other]}")
  limit "${called[$kind]}: executive" instr/frame "$all" '<=' "${bound[$kind]}"
  limit "${called[$kind]}: of it not told whose" instr/frame "${spent[other]}"
  limit "${called[$kind]}: clock" instr/frame "${spent[clock]}"
  limit "${called[$kind]}: driver" instr/frame "${spent[driver]}"
  limit "${called[$kind]}: plant" instr/frame "${spent[plant]}"
done
