# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What the tests of hild in the rig share; sourced by *_test.sh, which set `here`, this folder.
: "${here:?}"
build=${HILD_BUILD:-$here/../../build}
export HILD_RIG_KERNEL=${HILD_RIG_KERNEL:-$build/rig/kernel}
work=$(mktemp -d "${TMPDIR:-/tmp}/rig-test.XXXXXX")
trap 'rm -rf "$work"' EXIT

# shellcheck source=checks.sh
source "$here/checks.sh"

for program in hild rig/hild_rig rig/bare_loop rig/hog rig/analog rig/lines; do
  [[ -x $build/$program ]] || { echo "no program '$build/$program': build first" >&2; exit 1; }
done
"$here/kernel.sh" "$HILD_RIG_KERNEL"
# What a debugger needs would only make the guest boot slower.
for program in hild rig/hild_rig; do strip -o "$work/${program##*/}" "$build/$program"; done

# Runs scripts of a folder of this one in a guest, with hild and the tools; sets `status`
# to what they end with.
# The units of a configuration come from the database of UDUNITS-2.
# shellcheck disable=SC2034 # status is the caller's
guest() { # log, folder, boot.sh's options, --, names of scripts
  local log=$1 folder=$2 options=()
  shift 2
  while [[ $1 != -- ]]; do options+=("$1"); shift; done
  status=0
  "$here/boot.sh" --log "$log" --program "$work/hild" --program "$work/hild_rig" \
    --program "$build/rig/bare_loop" --program "$build/rig/hog" --program "$build/rig/analog" \
    --program "$build/rig/lines" --file /usr/share/xml/udunits --file "$here/checks.sh:/rig/checks.sh" \
    --file "$here/$folder:/rig/tests" "${options[@]}" "$here/each.sh" "${@:2}" || status=$?
}
