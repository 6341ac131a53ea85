// SPDX-License-Identifier: Apache-2.0
//
// The least run that a guard watches, for strikes that are many: one line of a simulated device,
// driven to 5 V ten times in safety.within (HILD_WITHIN ms, else 100), safe at -3 V; 32 ordinary
// threads that are busy, as those that serve clients; 16 MiB of locked memory. It is started as
// hild is (run CONFIG ... --set devices.rig.image=NAME, all else is ignored), in milliseconds, and
// hangs by the same tripwire as the model of that name.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include "io/guard/guard.hpp"
#include "io/guard/safe_ramp.hpp"
#include "tests/drivers/fake_options.hpp"

namespace {

using namespace hild;

constexpr double live = 5;
constexpr double safe = -3;
constexpr int priority = 80;

Duration within() {
  const char* const ms = std::getenv("HILD_WITHIN");
  return 1_ms * (ms != nullptr ? std::atoi(ms) : 100);
}

std::string image_of(int argc, char** argv) {
  constexpr std::string_view key = "devices.rig.image=";
  for (const std::string_view word : std::vector<std::string_view>(argv, argv + argc)) {
    if (word.starts_with(key)) return std::string(word.substr(key.size()));
  }
  return "hild-strikes";
}

const volatile int* tripwire() {
  const char* const path = std::getenv("HILD_TRIPWIRE");
  const int file = path != nullptr ? ::open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) ::_exit(1);
  return static_cast<const volatile int*>(
      ::mmap(nullptr, sizeof(int), PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0));
}

std::unique_ptr<io::Bus> one_line(const std::string& image) {
  test::FakeOptions options({{"image", image}});
  test::FakeOptions entry({{"channel", "0"}});
  auto device = io::find_driver("sim")->make("rig", options);
  io::OutputSignal out;
  out.channel = device->add(io::Direction::output, entry).value();
  out.limits = {-10, 10};
  out.safe = safe;
  out.device = 0;
  std::vector<io::Member> members;
  members.push_back({Name("rig"), std::move(device), {}});
  return std::make_unique<io::Bus>(std::move(members), std::vector<io::InputSignal>{},
                                   std::vector{out});
}

[[noreturn]] void be_busy() {
  while (true) {
    for (volatile int i = 0; i < 20'000;) i = i + 1;
    ::usleep(50'000);  // as often as a client asks
  }
}

}  // namespace

int main(int argc, char** argv) {
  const volatile int* const tripped = tripwire();
  const auto clock = rt::make_clock(rt::ClockKind::sleep, {}).value();
  const auto bus = one_line(image_of(argc, argv));
  if (!bus->open(*clock)) return 4;
  rt::Warnings warnings;
  const Duration frame = within() / 10;
  auto guard = guard::Guard::start(
      *bus, {.within = within(), .frame = frame, .priority = priority + 1}, warnings);
  if (!guard) return 2;
  ::mlockall(MCL_CURRENT | MCL_FUTURE);
  const std::vector<char> much(16U << 20U, 'x');
  auto frames = rt::Thread::start({.priority = priority}, warnings, [&] {
    guard->hold();
    const double y[] = {live};
    bool guarded = true;
    for (MonoTime tick = clock->now(); guarded; tick = tick + frame) {
      clock->sleep_until(tick);
      guard->heartbeat().beat.set(tick.ns);
      guarded = !guard->heartbeat().watcher.cut();
      if (guarded && !bus->exchange(y, {}, tick, {})) ::_exit(4);
      while (*tripped != 0) {
      }
    }
    guard::ramp_to_safe(*bus, *clock);
    guard->release();
    ::_exit(2);
  });
  if (!frames) return 2;
  const rt::ThreadOptions ordinary{.priority = 0, .name = Name("other")};
  std::vector<rt::Thread> others;
  for (int i = 0; i < 32; ++i) {
    auto thread = rt::Thread::start(ordinary, warnings, be_busy);
    if (thread) others.push_back(std::move(*thread));
  }
  be_busy();
}
