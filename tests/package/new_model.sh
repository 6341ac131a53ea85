#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# From an installed hild to a model of one's own: install, new-model, build, test.
#   new_model.sh BUILD
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=installed.bash
source "$here/installed.bash" "$@"

new_project new-model heat-pump
# As docs/models.md goes on: what it costs, and a run; under the ordinary scheduler, by which a busy machine may
# wake too late for any plan.
"$place/usr/bin/hild" check heat_pump.yaml --set frame.priority=0 >check.log ||
  grep -q 'REFUSED: the plan does not fit: at the median, wake ' check.log || { cat check.log; exit 1; }
grep 'The model is fit for real time' check.log || { cat check.log; exit 1; }
"$place/usr/bin/hild" run heat_pump.yaml --offline --duration 1 >run.log 2>&1 || { cat run.log; exit 1; }
# A model may run in a process of its own, and without a configuration.
"$place/usr/bin/hild" run build/heat_pump.so --offline --duration 0.1 --set model.process=own >run.log 2>&1 ||
  { cat run.log; exit 1; }
# A folder with something in it is left alone.
if "$place/usr/bin/hild" new-model heat-pump --folder . 2>refused; then exit 1; fi
grep -q 'not empty' refused
