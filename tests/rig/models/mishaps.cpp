// SPDX-License-Identifier: Apache-2.0
/// A model and a driver by which one step in `every` comes to grief, by each cause in turn, where
/// one instruction takes one nanosecond (the rig's counted mode). The model counts seconds in two
/// passes of `burn` each, the second at half of the step; the mishap of a step is told by its time
/// alone, so that who reads the causes knows what each of them should be (../mishaps/table.py).
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "hild/io/device.hpp"
#include "hild/model/integrated.hpp"

namespace hild {
namespace {

// The order of table.py.
enum Mishap {
  long_pass,
  missing_pages,
  slow_device,
  hog_at_tick,
  hog_at_release,
  hog_in_pass,
  long_event,
  stopped_at_tick,
  mishaps
};

// Two instructions a turn, whatever the compiler.
void burn_instructions(std::int64_t instructions) noexcept {
  std::int64_t turns = instructions / 2;
  if (turns <= 0) return;
  asm volatile("1: dec %0\n jnz 1b" : "+r"(turns) : : "cc");
}

// Each page that is written to is a page fault: what a run has locked is given back before.
void touch_fresh_pages(std::size_t pages) noexcept {
  constexpr std::size_t page = 4096;
  constexpr std::size_t most = 1024;
  alignas(page) static std::byte memory[most * page];
  ::munlock(memory, sizeof memory);
  ::madvise(memory, pages * page, MADV_DONTNEED);
  for (std::size_t i = 0; i < pages; ++i) {
    *static_cast<volatile std::byte*>(&memory[i * page]) = std::byte{1};
  }
}

std::int64_t now_ns() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}
void sleep_until(std::int64_t ns) noexcept {
  const timespec t{.tv_sec = ns / 1'000'000'000, .tv_nsec = ns % 1'000'000'000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) != 0) {
  }
}

/// A process of a higher priority that takes the CPU, or stops this one, from an instant on.
class Villain {
 public:
  void start() {
    void* const place =
        mmap(nullptr, sizeof(Orders), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    orders_ = new (place) Orders;
    sem_init(&orders_->given, 1, 0);
    const pid_t victim = getpid();
    child_ = fork();
    if (child_ == 0) work(victim);
  }
  void stop() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = -1;
  }
  void order(std::int64_t from, std::int64_t length, bool stop) noexcept {
    if (orders_ == nullptr) return;
    orders_->from = from;
    orders_->length = length;
    orders_->stop = stop;
    sem_post(&orders_->given);
  }

 private:
  struct Orders {
    sem_t given{};
    std::int64_t from = 0;
    std::int64_t length = 0;
    bool stop = false;
  };
  [[noreturn]] void work(pid_t victim) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sched_param parameter{};
    parameter.sched_priority = 90;
    sched_setscheduler(0, SCHED_FIFO, &parameter);
    for (;;) {
      if (sem_wait(&orders_->given) != 0) continue;
      const Orders o = *orders_;
      sleep_until(o.from);
      if (o.stop) {
        kill(victim, SIGSTOP);
        sleep_until(o.from + o.length);
        kill(victim, SIGCONT);
      } else {
        burn_instructions(o.length);
      }
    }
  }

  Orders* orders_ = nullptr;
  pid_t child_ = -1;
};

Villain villain;
// Told by the model in the pass before, done by the device in its next call. One thread runs both.
bool delay_next_call = false;

constexpr std::int64_t us = 1000;

}  // namespace

namespace model {
namespace {

struct Mishaps {
  static constexpr std::string_view name = "mishaps";
  static constexpr std::string_view summary = "counts seconds; one step in some comes to grief";

  enum { from, every, burn };

  static constexpr std::array states{State{"seconds", "s"}};
  static constexpr std::array inputs{Input{"ignored", "V"}};
  static constexpr std::array outputs{Output{"seconds", "s"}};
  static constexpr std::array events{Event{"mishap", Crossing::rising}};
  static constexpr std::array parameters{Parameter{"from", "s", 0.0, 0.0},
                                         Parameter{"every", "1", 25.0, 10.0, 1000.0},
                                         Parameter{"burn", "s", 0.0, 0.0}};
  using D = Data<Mishaps>;

  static void derivatives(double t, D::X /*x*/, D::U /*u*/, D::P p, D::DX dx) noexcept {
    dx[0] = 1;
    if (t < p[from]) return;
    burn_instructions(static_cast<std::int64_t>(1e9 * p[burn]));
    // Passes are at whole and half milliseconds.
    const auto half = static_cast<std::int64_t>(std::llround((t - p[from]) * 2000));
    const auto each = static_cast<std::int64_t>(p[every]);
    act(half / 2 % (each * mishaps), half % 2 != 0, each);
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[0];
  }
  // Rises 0.3 ms into the step that is to have the event, and falls at the end of the round.
  static void event_functions(double t, D::X /*x*/, D::U /*u*/, D::P p,
                              std::span<double, 1> g) noexcept {
    const double round = 1e-3 * p[every] * int{mishaps};
    const double at = 1e-3 * p[every] * int{long_event} + 0.3e-3;
    g[0] = t < p[from] ? -1 : std::fmod(t - p[from], round) - at;
  }
  static void on_event(std::size_t /*index*/, double /*t*/, D::NewX /*x*/, D::U /*u*/,
                       D::NewP /*p*/) noexcept {}

 private:
  // In frame `frame` of a round, in its first pass or in that at half of it.
  static void act(std::int64_t frame, bool second, std::int64_t each) noexcept {
    const auto in_step_of = [&](Mishap m) { return frame == m * each; };
    const auto in_step_before = [&](Mishap m) { return frame + 1 == m * each; };
    if (second) {
      if (in_step_of(long_pass)) burn_instructions(500 * us);
      if (in_step_of(missing_pages)) touch_fresh_pages(300);
      // What is known now: the release of this pass was some 0.25 ms ago, the tick is 0.25 ms off.
      if (in_step_before(slow_device)) delay_next_call = true;
      if (in_step_before(hog_at_tick)) villain.order(now_ns() + 180 * us, 700 * us, false);
      if (in_step_before(stopped_at_tick)) villain.order(now_ns() + 180 * us, 700 * us, true);
    } else {
      // The release is 0.24 ms off.
      if (in_step_of(hog_at_release)) villain.order(now_ns() + 120 * us, 700 * us, false);
      if (in_step_of(hog_in_pass)) hog_soon();
    }
  }
  // In the middle of the work: what follows is done after the hog.
  static void hog_soon() noexcept {
    villain.order(now_ns() + 50 * us, 700 * us, false);
    burn_instructions(200 * us);
  }
};

HILD_MODEL(Mishaps);

}  // namespace
}  // namespace model

namespace {

/// Reads zeros, writes nothing; starts the villain.
class Mishappen final : public io::Device {
  Result<io::Channel> add(io::Direction, io::Options& entry) override {
    entry.integer("channel", 0, 7);
    return io::Channel{.range = {-10, 10}, .where = {}};
  }
  Result<void> open(rt::Clock& clock) override { return clock_ = &clock, Result<void>{}; }
  bool exchange(std::span<const double> /*y*/, std::span<double> u,
                std::span<MonoTime> sampled) noexcept override {
    for (MonoTime& instant : sampled) instant = clock_->now();
    for (double& v : u) v = 0;
    // As a device that answers late: the thread sleeps for it.
    if (delay_next_call) sleep_until(now_ns() + 700 * us);
    delay_next_call = false;
    return true;
  }
  std::string_view failure() const override { return {}; }
  bool read_back(std::span<double>) override { return false; }
  bool hardware() const override { return false; }
  void start(MonoTime /*zero*/) override { villain.start(); }
  void stop() override { villain.stop(); }
  rt::Clock* clock_ = nullptr;
};
std::unique_ptr<io::Device> make(std::string_view, io::Options&) {
  return std::make_unique<Mishappen>();
}

}  // namespace

HILD_DRIVER(mishappen, "reads zeros, late where the model mishaps wants it", make);

}  // namespace hild
