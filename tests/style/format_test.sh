#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Whether all sources are in format; `make format` puts them so. 77: no clang-format.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
command -v clang-format >/dev/null || { echo "skipped: no clang-format (make deps)"; exit 77; }
find include src drivers tests config \( -name '*.cpp' -o -name '*.hpp' \) -exec clang-format --dry-run --Werror {} +
