// SPDX-License-Identifier: Apache-2.0
// What it costs to share work with another CPU, beside a bare spin of two threads, and what it
// saves. Prints medians, a line each: a name and a number.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "exec/model_workers.hpp"
#include "hild/model/registry.hpp"
#include "hild/numerics/methods.hpp"
#include "hild/rt/workers.hpp"
#include "model/coupled/stepper.hpp"

namespace hild::bench {
namespace {

constexpr int rounds = 20'000;

Duration median(std::vector<Duration>& of) {
  const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
  std::ranges::nth_element(of, middle);
  return *middle;
}

/// The median of what `round` takes.
template <class Round>
Duration measured(int n, Round round) {
  rt::Warnings ignored;
  const auto clock = rt::make_clock(rt::ClockKind::sleep, {});
  rt::Stopwatch watch(**clock);
  std::vector<Duration> took(static_cast<std::size_t>(n));
  for (Duration& one : took) {
    const MonoTime before = watch.now();
    round();
    one = watch.now() - before;
    if (&one - took.data() == n / 2) watch.sync();
  }
  return median(took);
}

class Nothing final : public Tasks {
 public:
  void run(std::size_t /*task*/) noexcept override {}
};

std::unique_ptr<rt::Workers> worker_on(int cpu, rt::Warnings& warnings) {
  return std::move(
      *rt::Workers::start({.cpus = {cpu}, .priority = 80, .period = 1_ms, .tasks = 2}, warnings));
}

// There and back by a store each, of two threads that do nothing else.
Duration bare_spin(int cpu, rt::Warnings& warnings) {
  alignas(64) std::atomic<int> there{0};
  alignas(64) std::atomic<int> back{0};
  auto other = rt::Thread::start({.priority = 80, .cpu = cpu, .name = Name("spin")}, warnings, [&] {
    for (int n = 1; n <= rounds; ++n) {
      while (there.load(std::memory_order_acquire) != n) __builtin_ia32_pause();
      back.store(n, std::memory_order_release);
    }
  });
  int n = 0;
  return measured(rounds, [&] {
    there.store(++n, std::memory_order_release);
    while (back.load(std::memory_order_acquire) != n) __builtin_ia32_pause();
  });
}

Duration hand_off(int cpu, rt::Warnings& warnings) {
  const auto workers = worker_on(cpu, warnings);
  Nothing nothing;
  return measured(rounds, [&] {
    workers->add(0, 0);
    workers->share_out(nothing);
    static_cast<void>(workers->wait(1_s));
  });
}

std::unique_ptr<coupled::CoupledStepper> motors(const std::vector<const char*>& names,
                                                int substeps) {
  std::vector<coupled::Part> parts;
  std::vector<std::unique_ptr<model::Stepper>> made;
  for (const char* name : names) {
    made.push_back(model::find_model("dc-motor")->make(numerics::rk4));
    parts.push_back(
        {Name(name), made.back()->description(), &made.back()->method(), {.substeps = substeps}});
  }
  return std::make_unique<coupled::CoupledStepper>(
      std::make_shared<coupled::Composition>(std::move(parts), std::vector<coupled::Connection>{}),
      std::move(made), Grid::of_rate_hz(1000));
}

Duration step_of(coupled::CoupledStepper& plant) {
  std::vector<double> u(plant.description().inputs.size(), 1.0);
  SimTime t{};
  plant.reset();
  return measured(4000, [&] {
    plant.models()->connect(t, u);
    static_cast<void>(plant.models()->step_connected(t, 1_ms, u));
    t += 1_ms;
  });
}

// A step of one model while another CPU takes steps of another, and neither waits for anything:
// what two CPUs of this machine can do, which may be halves of one core.
Duration unshared(int cpu, int substeps, rt::Warnings& warnings) {
  const auto own = motors({"a"}, substeps);
  const auto theirs = motors({"b"}, substeps);
  std::atomic<bool> done{false};
  Duration took{};
  {
    auto other =
        rt::Thread::start({.priority = 80, .cpu = cpu, .name = Name("beside")}, warnings, [&] {
          while (!done.load(std::memory_order_relaxed)) step_of(*theirs);
        });
    took = step_of(*own);
    done.store(true, std::memory_order_relaxed);
  }
  return took;
}

void tell(const char* name, double value) { fmt::print("{} {:.4g}\n", name, value); }

void measure(int cpu, rt::Warnings& warnings) {
  tell("bare_spin_ns", static_cast<double>(bare_spin(cpu, warnings).ns));
  tell("hand_off_ns", static_cast<double>(hand_off(cpu, warnings).ns));
  for (const int substeps : {100, 800}) {
    const auto serial = motors({"a", "b"}, substeps);
    const auto shared = motors({"a", "b"}, substeps);
    const auto workers = worker_on(cpu, warnings);
    exec::ModelWorkers models(*workers, {exec::ModelWorkers::here, 0}, 1_s);
    shared->models()->share_work(models);
    // One after the other, and again: the better half of a machine that others use too.
    Duration alone = step_of(*serial);
    Duration beside = step_of(*shared);
    alone = std::min(alone, step_of(*serial));
    beside = std::min(beside, step_of(*shared));
    tell(fmt::format("serial_{}_us", substeps).c_str(), microseconds(alone));
    tell(fmt::format("shared_{}_us", substeps).c_str(), microseconds(beside));
    tell(fmt::format("unshared_{}_us", substeps).c_str(),
         microseconds(unshared(cpu, substeps, warnings)));
  }
}

}  // namespace
}  // namespace hild::bench

// Of two CPUs that this process may use.
int main() {
  using namespace hild;
  const std::vector<int> cpus = rt::allowed_cpus();
  if (cpus.size() < 2) {
    fmt::print("cpus 1\n");
    return 0;
  }
  rt::Warnings warnings;
  auto master = rt::Thread::start({.priority = 80, .cpu = cpus[0]}, warnings,
                                  [&] { bench::measure(cpus[1], warnings); });
  if (!master) return 1;
  master->join();
  for (const auto& warning : warnings) fmt::print(stderr, "{}\n", warning.message);
  return 0;
}
