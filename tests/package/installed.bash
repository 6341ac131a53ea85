# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What the tests of projects of one's own share: hild installed from BUILD, "$1", into $place/usr, where work goes
# on. Sourced.
build=$1
place=$(mktemp -d "${TMPDIR:-/tmp}/hild-package.XXXXXX")
trap 'rm -rf "$place"' EXIT
cd "$place"
cmake --install "$build" --prefix "$place/usr" >install.log || { cat install.log; exit 1; }

# Writes a project, configures, builds and tests it; goes into its folder.
new_project() { # command, name
  "$place/usr/bin/hild" "$1" "$2"
  cd "$2"
  cmake -B build -G Ninja -DCMAKE_PREFIX_PATH="$place/usr" >configure.log || { cat configure.log; exit 1; }
  cmake --build build
  ctest --test-dir build --output-on-failure
}
