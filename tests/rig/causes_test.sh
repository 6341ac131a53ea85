#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Whether hild names the causes of overruns that were brought about to order, by default, without
# perf: at least 95 % rightly, none wrongly, no late wake-up left unknown. What a host takes away
# cannot be brought about here: the guest has no account of steal.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=host.bash disable=SC2154
source "$here/host.bash"
command -v python3 >/dev/null || { echo "no python3" >&2; exit 77; }

guest "$work/log" mishaps --mode counted --timeout 1200 --out "$work/out" -- run
cat "$work/log"
check "the guest's checks" 0 "$status"
check_run "causes are named" 0 "$work/table" "$here/mishaps/table.py" "$work/out/log.json.gz"
cat "$work/table"
[[ -z ${HILD_RIG_KEEP-} ]] || cp -r "$work/out" "$HILD_RIG_KEEP"
((failures == 0))
