#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# changed_test.sh BUILD [MINUTES]: clang-tidy over the source files that changed within a day of the newest commit,
# or since, the newest first, until MINUTES (2) have gone, and tells how many are left. `make check` takes all files, and all
# the time it needs. 77: no clang-tidy, or no history to look into.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
build=${1:?usage: changed_test.sh BUILD [MINUTES]} minutes=${2:-2}
command -v clang-tidy >/dev/null || { echo "skipped: no clang-tidy (make deps)"; exit 77; }
newest=$(git log -1 --format=%ct 2>/dev/null) || { echo "skipped: no git history"; exit 77; }

mapfile -t changed < <({
  git diff --name-only HEAD
  git log --since="$((newest - 86400))" --name-only --format=
} | awk '!seen[$0]++' | grep -E '^(src|drivers|tests)/.*\.cpp$' | grep -vE '^tests/(bench|fuzz|rig|foreign/plugin/objects)/' |
  while read -r file; do [[ ! -f $file ]] || echo "$file"; done)
((${#changed[@]} > 0)) || { echo "no source file changed"; exit 0; }

# Each file by itself: that of a whole library takes minutes.
folder=$build/style
uplot=$(find "$build/uplot" -maxdepth 1 -name 'uplot-*.tgz' | head -n 1)
cmake --preset debug -B "$folder" --log-level=WARNING -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON ${uplot:+-DHILD_UPLOT="$uplot"} >/dev/null
.ci/clang_commands "$folder"

end=$((SECONDS + minutes * 60)) failed=0 looked=0
for file in "${changed[@]}"; do
  ((SECONDS < end)) || break
  grep -qF "/$file\"" "$folder/clang/compile_commands.json" || continue
  looked=$((looked + 1))
  clang-tidy --quiet -p "$folder/clang" "$file" 2>/dev/null || { echo "$file: see above"; failed=$((failed + 1)); }
done
echo "clang-tidy: looked at $looked of ${#changed[@]} files that changed, $failed with findings"
((looked == ${#changed[@]})) || echo "the others had no time left: make check"
((failed == 0))
