# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Cases of a program (cases.hpp), by instructions and by time; sourced after common.bash.

collected() { # command; prints how many instructions it takes
  callgrind --callgrind-out-file=/dev/null "$@" 2>&1 | sed -n 's/.*Collected : //p'
}

instructions() { # program, case, items of the shorter run; sets `counted`: instructions an item
  local n total=()
  for n in "$3" $((11 * $3)); do
    total+=("$(collected "$1" --count "$2" "$n")")
  done
  counted=$(calc "(${total[1]:-0} - ${total[0]:-0}) / $((10 * $3))")
}

compare_instructions() { # figure, program, case, peer, its case, <= or >=, bound
  local counted mine
  instructions "$2" "$3" 100
  mine=$counted
  instructions "$2" "$5" 100
  compare "$1" instr "$mine" "$4" "$counted" "${@:6}"
}

# ---- by time -----------------------------------------------------------------------------------

# A case's time is the least of many short repetitions in mixed order: whatever else the machine does
# only adds to it, and adds most to what keeps the processor busiest.
run_cases() { # program, options...; the repetitions are in $work/csv
  only_counted || "$@" --benchmark_repetitions=30 --benchmark_min_time=0.02 --benchmark_enable_random_interleaving=true \
    --benchmark_format=csv >"$work/csv" 2>"$work/err" ||
    { cat "$work/err" >&2; return 1; }
}

# name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,...
ns() {
  awk -F , -v name="\"$1\"" '$1 == name && $7 > most { most = $7 } END { printf "%.4g", 1e9 / most }' "$work/csv"
}

compare_times() { # figure, case, peer, its case, <= or >=, bound
  only_counted || compare "$1" ns "$(ns "$2")" "$3" "$(ns "$4")" "${@:5}"
}
