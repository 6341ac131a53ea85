#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# hild on a real CAN bus of the kernel (vcan), under PREEMPT_RT: a closed loop, a storm of frames, an interface that goes
# down while it runs, one that is not there. Durations are not looked at here.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=host.bash disable=SC2154
source "$here/host.bash"

guest "$work/log" can --mode fast --timeout 600 --module can-raw --module vcan --program "$build/rig/can_peer" \
  --file "$here/../../config/can.yaml:/rig/can.yaml" --file "$here/../../config/can.dbc:/rig/can.dbc" -- bus
cat "$work/log"
check "the guest's checks" 0 "$status"
((failures == 0))
