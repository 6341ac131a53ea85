// SPDX-License-Identifier: Apache-2.0
/// hild-model: the program that a model which is not trusted runs in. hild starts it; by hand it
/// has nothing to do.
#include <sys/socket.h>

#include <cstdio>

#include "cli/main/heap_calls.hpp"
#include "foreign/contain/server.hpp"

int main() {
  int type = 0;
  socklen_t size = sizeof type;
  if (::getsockopt(hild::contain::socket_place, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
    std::fputs("hild-model: hild starts it, for a model under `process: own`\n", stderr);
    return 1;
  }
  hild::contain::serve(hild::commands::heap_calls());
}
