// SPDX-License-Identifier: Apache-2.0
/// hild-model: the program that a model which is not trusted runs in. hild starts it; by hand it
/// has nothing to do.
#include <cstdio>

#include "cli/main/heap_calls.hpp"
#include "foreign/contain/server.hpp"
#include "hild/rt/confined/task.hpp"

int main() {
  if (!hild::confined::started_as_one()) {
    std::fputs("hild-model: hild starts it, for a model under `process: own`\n", stderr);
    return 1;
  }
  hild::contain::serve(hild::commands::heap_calls());
}
