# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154,SC2034
#
# How the scripts that follow look at the service.
unit=hild@rig1.service
config=/etc/hild/rig1.yaml
group=/sys/fs/cgroup/system.slice/system-hild.slice/$unit
export HILD_SOCKET=/run/hild/rig1/control.sock

of_unit() { systemctl show --property="$1" --value "$unit"; }
active() { [ "$(of_unit ActiveState)" = active ]; }
counts_of() { awk "BEGIN { printf \"%.0f\", ($1 + 10) / 20 * 65535 }"; }
held() { analog /dev/comedi0 0 "$1" read; }
driven() { near "$(held 0)" "$(counts_of 5)" 1; }
is_safe() { near "$(held 0)" "$(counts_of "${1:-1}")" 1; }
running() { active && driven; }
status_of_run() { # name
  hildctl status --timeout 100 --json >status.json && value status.json "$1"
}
advanced() { [ "$(status_of_run frames)" -gt "$1" ]; } # beyond this frame
# A word to the model; the run may be dead before it answers.
misbehave() { hildctl set --timeout 20 "fault=$1" >told.txt 2>&1 || true; }
guard_of() { awk '{ print $1 }' "/proc/$1/task/$1/children"; }
# With all that was said until now: the journal's daemon shares its CPU with the frames, which come first.
journal() { # journalctl's options...
  journalctl --sync
  journalctl --no-pager --unit="$unit" "$@"
}
words() { journal --output=cat | grep -v " late, in time "; }

# All at once what another may only see in turn: every value of the line until told to end.
begin_to_look() {
  : >looking
  while [ -e looking ]; do held 0; done >seen.txt &
  looker=$!
}
end_to_look() {
  rm looking
  wait "$looker"
}
