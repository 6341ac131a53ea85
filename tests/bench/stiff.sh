#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What a step of a stiff method costs on Cellier's circuit with load, thirteen states.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

"$build/bench_stiff" --benchmark_repetitions=9 --benchmark_min_time=0.05 \
  --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true \
  --benchmark_format=csv >"$work/csv" 2>"$work/err" || { cat "$work/err" >&2; failed 'stiff' 'the program failed'; exit; }
# name,iterations,real_time,cpu_time,time_unit,...
ns() { awk -F , -v name="\"$1_median\"" '$1 == name { printf "%.4g", $4 }' "$work/csv"; }
compare 'a step of LIBE, dense' ns "$(ns libe_dense)" 'Eigen, LU' "$(ns eigen_dense)" '<=' 1.1
compare 'the same, declared tridiagonal' ns "$(ns libe_tridiagonal)" dense "$(ns libe_dense)"
compare 'of sixty-four states, declared tridiagonal' ns "$(ns rod_tridiagonal)" dense "$(ns rod_dense)" '<=' 0.2
compare 'backward Euler, 3 iterations, torn to six' ns "$(ns newton_torn)" 13x13 "$(ns newton_dense)" '<=' 0.333
compare 'a millisecond by two rates, k = 10, of costly derivatives' ns "$(ns costly_multirate)" 'one rate' "$(ns costly_single)" '<=' 0.303
compare 'the same of the circuit, whose derivatives cost 1 ns' ns "$(ns line_multirate)" 'one rate' "$(ns line_single)"
