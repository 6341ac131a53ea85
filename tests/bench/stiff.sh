#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What a step of a stiff method costs on Cellier's circuit with load, thirteen states; and a millisecond
# of the circuit by two rates.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
# shellcheck source=counts.bash
source "$here/counts.bash"
program=$build/bench_stiff

run_cases "$program" || { failed 'stiff' 'the program failed'; exit; }
compare_times 'a step of LIBE, dense' libe_dense 'Eigen, LU' eigen_dense '<=' 1.1
compare_times 'a step of LIBE, no element of the matrix zero' libe_full 'Eigen, LU' eigen_full '<=' 1.1
compare_times 'a dense system of 400 rows' dense_400 'Eigen, LU' eigen_400 '<=' 1.1
compare_times 'a step of LIBE, 10 000 states, a plate declared by its pattern' plate_sparse 'Eigen, sparse LU' eigen_sparse '<=' 1.1
compare_times 'the first, declared tridiagonal' libe_tridiagonal dense libe_dense
compare_instructions 'the first, declared tridiagonal' "$program" libe_tridiagonal dense libe_dense '<=' 0.2
compare_times 'of sixty-four states, declared tridiagonal' rod_tridiagonal dense rod_dense '<=' 0.2
compare_instructions 'of sixty-four states, declared tridiagonal' "$program" rod_tridiagonal dense rod_dense '<=' 0.2
compare_times 'backward Euler, 3 iterations, torn to six' newton_torn 13x13 newton_dense '<=' 0.333
compare_instructions 'the same, torn by hild from the equations' "$program" newton_found 'by hand' newton_torn '<=' 2
compare_instructions 'the same, coefficients found in each step' "$program" newton_varying 'by hand' newton_torn
compare_instructions 'a millisecond by two rates, k = 10' "$program" line_multirate 'one rate' line_single '<=' 0.303
compare_times 'a millisecond by two rates, k = 10' line_multirate 'one rate' line_single
compare_times 'the same of costly derivatives' costly_multirate 'one rate' costly_single '<=' 0.303
