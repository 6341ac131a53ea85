#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# How the work of a frame grows with each size of a configuration: the slope in instructions, that of a bare
# loop of the same arithmetic, and whether growth is linear. Counted, it takes the smaller sizes alone.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
few=()
only_counted && few=(--few)
"$here/growth.py" "$build" "${few[@]}" >"$work/slopes"

# What one more may cost, and how much of that of the bare loop.
declare -A most=(
  [channels]=58 [states]=44 ["event functions"]=14.4 [models]=540 [parameters]=1 [clients]=4
  ["channels recorded, recorder's thread"]=25
)
declare -A ratio=([channels]=4.15 [states]=1.3 ["event functions"]=0.76)
while IFS=$'\t' read -r name unit mine bare bend; do
  limit "one more of $name" "instr/$unit" "$mine" '<=' "${most[$name]}"
  [[ $bare == - ]] || compare "the same, against a bare loop" "instr/$unit" "$mine" 'bare loop' "$bare" '<=' "${ratio[$name]}"
  limit "the same: is linear, slope at the largest by that before" ratio "$bend" '<=' 1.3
done <"$work/slopes"
