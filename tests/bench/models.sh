#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Models that are loaded: a frame of RK-4 on the Van der Pol FMU against the same calls by hand, and the
# oscillator as a plug-in against the built-in one.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
# shellcheck source=counts.bash
source "$here/counts.bash"
program=$build/bench_models

run_cases "$program" || { failed 'models' 'the program failed'; exit; }
compare 'a frame of RK-4, FMU' ns "$(ns fmu_hild)" 'by hand' "$(ns fmu_hand)" '<=' 1.1
compare 'the same by passes, as the frame loop takes it' ns "$(ns fmu_passes)" 'by hand' "$(ns fmu_hand)" '<=' 1.1
compare_instructions 'a frame of RK-4, FMU' "$program" fmu_hild 'by hand' fmu_hand
compare 'a frame of RK-4, FMU in a process of its own' ns "$(ns fmu_contained)" 'in this' "$(ns fmu_hild)"
compare 'a step of RK-4, plug-in' ns "$(ns plugin)" 'built in' "$(ns builtin)" '<=' 1.05
compare 'the same by passes, outputs read' ns "$(ns plugin_frames)" 'built in' "$(ns builtin_frames)" '<=' 1.05
