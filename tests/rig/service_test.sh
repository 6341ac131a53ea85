#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The packaged service on a Debian that boots: started at boot, confined, watched, reloaded, stopped; with a
# PREEMPT_RT kernel and a converter card, so that what its outputs hold is seen from outside, and a CAN bus.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=host.bash disable=SC2154
source "$here/host.bash"

status=0
debian=$("$here/../package/bare_root.sh" "$build") || status=$?
((status == 0)) || exit "$status"
mkdir -p "$work/etc"/{default,hild}
echo 'HILD_OPTIONS=--arm' >"$work/etc/default/hild-rig1"
cp "$here"/service/{rig1,bus}.yaml "$here/../../config/can.dbc" "$build/tests/foreign/plugin/misbehaving.so" "$work/etc/hild"
"$here/boot.sh" --log "$work/log" --console "$work/console" --root "$debian" --enable hild@rig1.service \
  --memory 1024 --timeout 1800 --program "$build/rig/analog" --program "$build/rig/can_peer" --program /bin/busybox \
  --module can-raw --module vcan --module algif_hash --file "$work/etc:/etc" \
  --file "$here/service/rig1.conf:/etc/systemd/system/hild@rig1.service.d/card.conf" \
  --file "$here/checks.sh:/rig/checks.sh" --file "$here/service:/rig/tests" \
  --file "$here/../../systemd/isolated:/rig/isolated" \
  "$here/each.sh" common boot crashes reload clock stop demo can isolated || status=$?
cat "$work/log"
check "the guest's checks" 0 "$status"
((failures == 0)) || sed 's/^/console: /' "$work/console" | tail -n 100
((failures == 0))
