#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs killed, stopped, hung, and without their guard, with 30 clients, and a hog of SCHED_FIFO 10 on every
# CPU: all ordinary threads stand still, those of the dying run among them. Each line is safe within
# safety.within, or within three frames of the guard's death: p99.9 of those trials in which no CPU of the
# guest itself stood still. Once hild itself is struck, and once the least run that a guard watches, which
# starts in milliseconds.
#
#   HILD_STRIKES=1000 tests/rig/strikes_test.sh      so many of each kind of the least run, else 3
#   HILD_STRIKES_OF_HILD=100                         the same of hild, else 1: each takes seconds
#   HILD_STRIKES_KINDS=kill,stop                     of kill, stop, hang, guard, else all
#   HILD_STRIKES_WITHIN=20                           safety.within in ms, a frame a tenth of it, else 100
#   HILD_STRIKES_MODE=fast                           two CPUs in the time of the host, else counted: one CPU,
#                                                    whose time does not depend on what else the host does
#   HILD_STRIKES_EACH=1                              each trial is a line of what the guest says, told as it ends
#                                                    (while it runs, in a file rig.*/said of TMPDIR)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=host.bash disable=SC2154
source "$here/host.bash"

least=${HILD_STRIKES:-3} own=${HILD_STRIKES_OF_HILD:-1} within=${HILD_STRIKES_WITHIN:-100}
mkdir "$work/strikes"
cp "$here"/strikes/* "$work/strikes"
sed -i "s/within: 100 ms/within: $within ms/; s/rate: 100 Hz/rate: $((10000 / within)) Hz/" "$work/strikes/strikes.yaml"
cat >"$work/strikes/options" <<END
kinds=${HILD_STRIKES_KINDS:-kill,stop,hang,guard} least=$least own=$own within=$within
each=${HILD_STRIKES_EACH:+/dev/ttyS1}
END
guest "$work/log" strikes --mode "${HILD_STRIKES_MODE:-counted}" --timeout $((600 + 20 * least + 120 * own)) \
  --out "$work/out" --program "$build/rig/strikes" --program "$build/rig/guarded" \
  --file "$work/strikes:/rig/tests" -- run
cat "$work/log"
check "the guest's checks" 0 "$status"
[[ -z ${HILD_RIG_KEEP-} ]] || cp -r "$work/out" "$HILD_RIG_KEEP"
((failures == 0))
