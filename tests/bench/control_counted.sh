#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# As control.sh, in instructions: what others at its sockets make the frame itself do. In time it also
# pays for the caches that they leave to it, as it would for those of any program beside it.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

counted 900 --program "$build/control_load" "$here/guest/control.sh" || { failed 'boot' "the guest failed"; exit; }
column() { # name, column
  said "$1" | awk -v column="$2" '{ print $(column - 1) }'
}
for who in crowd clients; do
  case $who in
    crowd) words='2000 hostile sockets' peer='quiet run' ;;
    clients) words='64 clients' peer='one client' ;;
  esac
  ratio=$(column $who.work 4)
  write_row "1 kHz, $words: work in a frame, p50" us "$(column $who.work 3)" "$peer" "$(column $who.work 2)" \
    "$ratio" '<= 1.05' "$(verdict "$ratio" '<=' 1.05)"
  limit "1 kHz, $words: overruns by external events" frames "$(column $who.overruns_external 2)" == 0
done
limit "1 kHz, 64 clients: changes that took effect" changes "$(column clients.served 2)" '>=' 20
