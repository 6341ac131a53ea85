#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Instructions for the inputs of a pass, from an image that is 20 us late: what a pass costs, and what
# each channel adds.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
# shellcheck source=counts.bash
source "$here/counts.bash"
program=$build/bench_inputs

# Of a pass; the image is taken in either run.
of_pass() { # case, channels; sets `pass`
  instructions "$program" "$1_$2_1" 100 && pass=$counted
  instructions "$program" "$1_$2_0" 100 && pass=$(calc "$pass - $counted")
}
of_pass cubic 8 && eight=$pass
of_pass cubic 108 && many=$pass
limit 'a pass, eight channels, cubic' instr/pass "$eight" '<=' 240
limit 'each further channel, cubic' instr/channel "$(calc "($many - $eight) / 100")" '<=' 15
of_pass cubic 1 && limit 'a pass, one channel, cubic' instr/pass "$pass"
of_pass linear 1 && limit 'a pass, one channel, linear' instr/pass "$pass"
of_pass on_time 1 && limit 'a pass, one channel, on time' instr/pass "$pass"
instructions "$program" cubic_1_0 100 && limit 'an image, one channel' instr "$counted"
