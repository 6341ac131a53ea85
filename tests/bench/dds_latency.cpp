// SPDX-License-Identifier: Apache-2.0
/// What it takes from a frame of one node to the image in another one on this machine, and what a
/// hand-over between two processes takes, by the futex that a gateway is woken by. Median of COUNT
/// at a thousand a second, in us; who waits for it looks without a pause, as it does in both cases.
///     dds_latency link VALUES COUNT
///     dds_latency handover COUNT
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "drivers/dds_device.hpp"
#include "hild/rt/doorbell.hpp"
#include "tests/drivers/fake_options.hpp"

namespace hild::bench {
namespace {

constexpr Duration period = 1_ms;
constexpr Duration too_long = 1_s;

std::string own_name(const char* what) { return what + std::to_string(::getpid()); }

std::unique_ptr<io::Device> node(const char* name) {
  test::FakeOptions options({{"domain", "77"}, {"system", own_name("latency-")}, {"node", name}});
  return io::find_driver("dds")->make(name, options);
}

/// Calls `once`, which returns what it took or a negative time where nothing came, at each tick.
template <class Once>
int measure(rt::Clock& clock, int count, Once once) {
  std::vector<Duration> took;
  MonoTime tick = clock.now();
  for (int n = 1; n <= count; ++n) {
    tick = std::max(tick + period, clock.now());
    clock.sleep_until(tick);
    const Duration one = once(n);
    if (one.ns >= 0) took.push_back(one);
  }
  if (took.size() < static_cast<std::size_t>(count) / 2 + 1) return 1;
  const auto middle = took.begin() + static_cast<std::ptrdiff_t>(took.size() / 2);
  std::ranges::nth_element(took, middle);
  std::printf("%.3f\n", 1e-3 * static_cast<double>(middle->ns));
  return 0;
}

int link(int values, int count) {
  const auto clock = *rt::make_clock(rt::ClockKind::sleep, {});
  const auto from = node("from");
  const auto to = node("to");
  for (int i = 0; i < values; ++i) {
    const std::string name = "s" + std::to_string(i);
    test::FakeOptions out({{"signal", name}});
    test::FakeOptions in({{"node", "from"}, {"signal", name}});
    if (!from->add(io::Direction::output, out) || !to->add(io::Direction::input, in)) return 1;
  }
  if (!from->open(*clock) || !to->open(*clock)) return 1;
  from->start(clock->now());
  to->start(clock->now());
  std::vector<double> outputs(static_cast<std::size_t>(values));
  std::vector<double> inputs(outputs.size());
  const int done = measure(*clock, count, [&](int n) -> Duration {
    outputs.front() = n;
    const MonoTime begun = clock->now();
    std::array sampled{begun};
    if (!from->exchange(outputs, {}, sampled)) return {-1};
    while (clock->now() - begun < too_long) {
      std::array when{clock->now()};
      if (to->exchange({}, inputs, when) && inputs.front() == n) return clock->now() - begun;
    }
    return {-1};
  });
  from->stop();
  to->stop();
  return done;
}

int handover(int count) {
  struct Shared {
    rt::Doorbell bell;
    rt::Counter taken;
  };
  void* const memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  auto& shared = *new (memory) Shared;
  const pid_t other = ::fork();
  if (other == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (std::uint32_t seen = 0;; seen = shared.bell.rung()) {
      shared.taken.set(seen);
      shared.bell.wait(seen);
    }
  }
  const auto clock = *rt::make_clock(rt::ClockKind::sleep, {});
  const int done = measure(*clock, count, [&](int n) -> Duration {
    const MonoTime begun = clock->now();
    shared.bell.ring();
    while (clock->now() - begun < too_long) {
      if (shared.taken.get() == n) return clock->now() - begun;
    }
    return {-1};
  });
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
  return done;
}

}  // namespace
}  // namespace hild::bench

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "link" && argc == 4) {
    return hild::bench::link(std::atoi(argv[2]), std::atoi(argv[3]));
  }
  if (what == "handover" && argc == 3) return hild::bench::handover(std::atoi(argv[2]));
  std::fputs("usage: dds_latency link VALUES COUNT | handover COUNT\n", stderr);
  return 1;
}
