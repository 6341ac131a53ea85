# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Cases of a program (cases.hpp), by instructions and by time; sourced after common.bash.

instructions() { # program, case, items of the shorter run; sets `counted`: instructions an item
  local n total=()
  for n in "$3" $((11 * $3)); do
    total+=("$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" --count "$2" "$n" 2>&1 |
      sed -n 's/.*Collected : //p')")
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

run_cases() { # program, options...; the medians are in $work/csv
  "$@" --benchmark_repetitions=9 --benchmark_min_time=0.05 --benchmark_enable_random_interleaving=true \
    --benchmark_report_aggregates_only=true --benchmark_format=csv >"$work/csv" 2>"$work/err" ||
    { cat "$work/err" >&2; return 1; }
}

# name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,...
ns() { awk -F , -v name="\"$1_median\"" '$1 == name { printf "%.4g", 1e9 / $7 }' "$work/csv"; }
