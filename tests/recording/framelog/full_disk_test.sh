#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A run recorded into a file system that fills up: the run ends as it should, tells what is missing, and
# what was written is whole and can be read where it is. Needs root, for a mount of its own; else 77.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
hild=${1:?usage: full_disk_test.sh HILD BUILD}
[[ ${HILD_FULL_DISK:-} ]] || {
  unshare --mount true 2>/dev/null || { echo 'skipped: no mounts without root'; exit 77; }
  HILD_FULL_DISK=1 exec unshare --mount "$0" "$@"
}

work=$(mktemp -d "${TMPDIR:-/tmp}/hild-full.XXXXXX")
trap 'umount "$work/disk" || true; rm -rf "$work" "/dev/shm/$(basename "$work")"' EXIT
mkdir "$work/disk"
mount -t tmpfs -o size=500k none "$work/disk" || { trap - EXIT; rmdir "$work/disk" "$work"; echo 'skipped: no tmpfs'; exit 77; }

"$hild" run "$here/peers/motor.yaml" --offline --duration 20 --report "$work/report.json" \
  --set "record.file=$work/disk/run.mcap" --set "devices.rig.image=$(basename "$work")" \
  >"$work/said" 2>"$work/warned" || { cat "$work/said" "$work/warned"; exit 1; }
grep -q 'No space left on device; the run goes on' "$work/warned" || { cat "$work/warned"; exit 1; }
"$hild" log "$work/disk/run.mcap" --json >"$work/log.json"
"$hild" log "$work/disk/run.mcap" --recover "$work/whole.mcap" >/dev/null
"$hild" log "$work/whole.mcap" --json >"$work/whole.json"
python3 - "$work/report.json" "$work/log.json" "$work/whole.json" <<'CHECK'
import json, sys
report, log, whole = (json.load(open(name)) for name in sys.argv[1:])
recording = report["recording"]
assert report["frames"] == 20000 and report["overruns"]["total"] == 0, "the run was held up"
assert recording["frames"] > 0 and recording["lost"] > 0, recording
assert recording["frames"] + recording["lost"] == 20000, recording
assert whole["file"]["closed"] and whole["file"]["damage_count"] == 0
assert log["frames"] == whole["frames"] == recording["frames"], (log["frames"], recording)
print(f"{recording['frames']} of 20000 frames fitted, {recording['lost']} were lost and told")
CHECK
