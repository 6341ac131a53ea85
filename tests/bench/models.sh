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
compare_times 'a frame of RK-4, FMU' fmu_hild 'by hand' fmu_hand '<=' 1.1
# After each pass hild looks whether the FMU changed the floating-point control, for which some processors take 20 cycles.
compare_times 'the same by passes, as the frame loop takes it' fmu_passes 'by hand' fmu_hand '<=' 1.4
# Loading takes some 100 000 more or less each time, by the name of the folder it is unpacked into: of many frames.
instructions "$program" fmu_hild 10000 && mine=$counted
instructions "$program" fmu_hand 10000
compare 'a frame of RK-4, FMU' instr "$mine" 'by hand' "$counted" '<=' 2.1
compare_times 'a frame of RK-4, FMU in a process of its own' fmu_contained 'in this' fmu_hild
compare_times 'the same by passes, in a process of its own' fmu_contained_passes 'in this' fmu_passes
compare_times 'a step of RK-4, plug-in' plugin 'built in' builtin '<=' 1.05
compare_times 'the same by passes, outputs read' plugin_frames 'built in' builtin_frames '<=' 1.05
