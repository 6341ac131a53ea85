#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A step of RK-4 on Van der Pol's oscillator and on Cellier's circuit with load: against a loop by hand,
# Boost.odeint and ERKStep; and behind derivatives that the compiler cannot see.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
# shellcheck source=counts.bash
source "$here/counts.bash"
program=$build/bench_integrators

run_cases "$program" || { failed 'RK-4' 'the program failed'; exit; }
for model in van_der_pol circuit; do
  compare_instructions "RK-4, $model" "$program" ${model}_hild 'by hand' ${model}_hand '<=' 1.05
  compare_times "RK-4, $model" ${model}_hild 'by hand' ${model}_hand '<=' 1.05
  compare_instructions "RK-4, $model" "$program" ${model}_hild odeint ${model}_odeint '<=' 1
  # Its sums are two operations shorter behind the last derivative, of which some processors make 5 %.
  compare_times "RK-4, $model" ${model}_hild odeint ${model}_odeint '<=' 1.1
  compare_times "RK-4, $model, a call a step" ${model}_hild_each ERKStep ${model}_erkstep '<=' 0.1
  compare_instructions "RK-4, $model, a call a step" "$program" ${model}_hild_each ERKStep ${model}_erkstep
  compare_times "RK-4, $model, opaque, fixed method" ${model}_opaque_fixed 'by hand' ${model}_opaque_hand '<=' 1.1
  compare_times "RK-4, $model, opaque, method read" ${model}_opaque_chosen 'by hand' ${model}_opaque_hand
  for method in ab_3 rtam_2; do
    name=$(tr a-z_ A-Z- <<<"$method")
    compare_instructions "$name, $model" "$program" ${model}_$method 'by hand' ${model}_${method}_hand '<=' 1.05
    compare_times "$name, $model" ${model}_$method 'by hand' ${model}_${method}_hand '<=' 1.05
  done
  # The same protocol by hand: six calls that the compiler does not see through, between which all goes by memory.
  compare_instructions "RK-4, $model, by passes" "$program" ${model}_hild_passes 'by passes' ${model}_hand_passes '<=' 1.3
  compare_times "RK-4, $model, by passes" ${model}_hild_passes 'by passes' ${model}_hand_passes '<=' 1.2
done
compare_times "RK-4, circuit, by passes" circuit_hild_passes 'by hand' circuit_hand '<=' 1.3
# The oscillator's few terms wait for every word that goes by memory, whoever writes the passes.
compare_times "RK-4, van_der_pol, by passes" van_der_pol_hild_passes 'by hand' van_der_pol_hand
compare_times "RK-4, van_der_pol, these passes by hand" van_der_pol_hand_passes 'by hand' van_der_pol_hand
compare_instructions 'RTAM-4 at 3 kHz' "$program" rtam_4_rate 'at 333 333 ns' rtam_4_period '<=' 1.1
compare_times 'RTAM-4 at 3 kHz' rtam_4_rate 'at 333 333 ns' rtam_4_period '<=' 1.1
