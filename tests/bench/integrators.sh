#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Steps a second of RK-4 on Van der Pol's oscillator, compiled together against a loop written by hand;
# to know, without a bound.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

"$build/bench_integrators" --benchmark_repetitions=9 --benchmark_min_time=0.1 \
  --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true \
  --benchmark_format=csv >"$work/csv" 2>"$work/err" || { cat "$work/err" >&2; failed 'RK-4' 'the program failed'; exit; }
# name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,...
steps() { awk -F , -v name="\"$1_median\"" '$1 == name { printf "%.4g", $7 / 1e6 }' "$work/csv"; }
compare 'RK-4 on Van der Pol' 'M steps/s' "$(steps by_hild)" 'by hand' "$(steps by_hand)"
