// SPDX-License-Identifier: Apache-2.0
/// hild-dds: the gateway of a device of the driver dds. hild starts it; by hand it has nothing to
/// do.
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "drivers/dds/gateway/bridge.hpp"
#include "hild/rt/clock.hpp"
#include "hild/rt/confined/confine.hpp"
#include "hild/rt/confined/task.hpp"

namespace hild::dds {
namespace {

// Threads that are started from here on have it too. Without it an ordinary process goes on.
void take_priority(const GatewayTask& task) {
  if (task.priority == 0) return;
  sched_param param{};
  param.sched_priority = task.priority;
  if (::sched_setscheduler(0, SCHED_FIFO, &param) != 0) {
    std::fprintf(stderr,
                 "hild: device %s: its gateway does not get SCHED_FIFO %d (%s): run hild as a user "
                 "who may ask for it (LimitRTPRIO=)\n",
                 task.device.c_str(), task.priority, std::strerror(errno));
  }
  ::mlockall(MCL_CURRENT);
}

// Until it is told to end; what was written by then is sent.
void send_what_is_written(Bridge& bridge, rt::Doorbell& written, const rt::Flag& ends) {
  MonoTime told = rt::monotonic_now() - 1_s;
  for (std::uint32_t seen = written.rung(); !ends.raised();) {
    bridge.send();
    if (bridge.has_news() || rt::monotonic_now() - told >= 1_s) {
      told = rt::monotonic_now();
      bridge.tell_health();
    }
    Duration left = 1_s;
    if (written.wait(seen, left)) seen = written.rung();
  }
  bridge.send();
}

[[noreturn]] void serve() {
  confined::settle_signals();
  auto task = unpacked(confined::take_task());
  if (!task) confined::give_up(task.error().message);
  auto page = Page::map(confined::page_place);
  if (!page) confined::give_up(page.error().message);
  if (!page->head().life.hold()) {
    confined::give_up("the system keeps no robust list for it, by which its end is seen");
  }
  std::string refused = confined::give_up_rights(confined::socket_place);
  ::unsetenv("CYCLONEDDS_URI");  // what is told is all that counts
  take_priority(*task);
  auto bridge = Bridge::make(std::move(*task), *page);
  if (!bridge) confined::give_up(bridge.error().message);
  const std::string filtered = confined::give_up_calls(confined::Reach::network);
  if (!filtered.empty()) refused += (refused.empty() ? "" : "; ") + filtered;
  confined::say(confined::Outcome::done, refused);

  rt::Flag ends;
  rt::Doorbell& written = page->head().written;
  std::thread sender([&] { send_what_is_written(**bridge, written, ends); });
  confined::await_end();
  ends.raise();
  written.ring();
  sender.join();
  bridge->reset();
  ::_exit(0);
}

}  // namespace
}  // namespace hild::dds

int main() {
  if (!hild::confined::started_as_one()) {
    std::fputs("hild-dds: hild starts it, for a device of the driver dds\n", stderr);
    return 1;
  }
  hild::dds::serve();
}
