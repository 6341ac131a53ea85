// SPDX-License-Identifier: Apache-2.0
/// \file
/// A hundred nodes whose clocks drift and are kept together, over a network that delays and loses:
/// how far their ticks are apart, against how far their clocks are, and how old what they use is,
/// against what follows from the loss alone. Time and chance are the test's own.
///
/// HILD_NODES_HOURS=1 has them run for an hour and prints what came of it; else for a minute.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "exec/tai_grid.hpp"

namespace hild::exec {
namespace {

using Random = std::mt19937_64;

constexpr std::size_t how_many = 100;
constexpr double most_drift = 200e-6;
constexpr double servo_noise = 1000;  // ns, of what PTP measures
constexpr double reading_noise = 50;  // ns, of two clocks that are not read at once
constexpr double loss = 0.01;
constexpr double least_delay = 50e3;  // ns
constexpr double more_delay = 20e3;   // ns, exponential behind it
constexpr double frame_ns = 1e6;
constexpr std::int64_t a_second = 1000;          // frames
constexpr std::int64_t settled = 30 * a_second;  // by then the servos know the drifts

/// A machine whose oscillator is wrong, and which a servo sets right once a second by slewing, so
/// that its monotonic clock and its TAI go on alike.
class Machine {
 public:
  explicit Machine(Random& random)
      : drift_(std::uniform_real_distribution<double>(-most_drift, most_drift)(random)),
        boot_(std::uniform_int_distribution<std::int64_t>(0, 1'000'000'000)(random)) {}

  void servo(Random& random) {
    const double measured = offset_ + std::normal_distribution<double>(0, servo_noise)(random);
    learnt_ -= 0.1 * measured / 1e9;
    slew_ = learnt_ - 0.3 * measured / 1e9;
  }
  void pass_a_frame() noexcept { offset_ += (drift_ + slew_) * frame_ns; }
  /// What its TAI is ahead of that of the others, ns.
  [[nodiscard]] double offset() const noexcept { return offset_; }
  [[nodiscard]] rt::TaiReading read(Random& random) const {
    const double noise =
        std::uniform_real_distribution<double>(-reading_noise, reading_noise)(random);
    return {ahead() + Duration{std::llround(noise)}, {std::llround(reading_noise)}};
  }
  [[nodiscard]] Duration ahead() const noexcept { return {1'000'000'000'000 - boot_}; }

 private:
  double drift_;
  std::int64_t boot_;
  double learnt_ = 0;
  double slew_ = 0;
  double offset_ = 0;
};

struct Node {
  Machine machine;
  TaiGrid grid{Align{}, Grid::of_period(1_ms)};
  MonoTime tick{};           // by its clock
  double when = 0;           // by TAI, ns
  std::int64_t newest = -1;  // frame in which what it has was sent
};

/// What came of a run.
struct Seen {
  double clocks = 0;                      // ns, the furthest from TAI
  double ticks = 0;                       // likewise
  int steps = 0;                          // of clocks
  std::array<std::int64_t, 12> frames{};  // how many images were so many frames old
  std::int64_t images = 0;
};

class ManyNodes {
 public:
  ManyNodes() {
    for (std::size_t n = 0; n < how_many; ++n) nodes_.push_back({Machine(random_)});
    constexpr Duration begin = 2000_s;  // of TAI
    for (Node& node : nodes_) {
      const Duration ahead = node.machine.ahead();
      node.tick = node.grid.first_tick({(begin - ahead).ns}, ahead);
    }
  }

  Seen run(std::int64_t frames) {
    for (std::int64_t frame = 0; frame < frames; ++frame) {
      for (std::size_t n = 0; n < how_many; ++n) tick(nodes_[n], frame, n);
      for (std::size_t n = 0; n < how_many; ++n) {
        receive(nodes_[n], nodes_[(n + 1) % how_many], frame);
      }
    }
    return seen_;
  }

 private:
  void tick(Node& node, std::int64_t frame, std::size_t n) {
    const TaiGrid::Seen looked = node.grid.see(node.tick, node.machine.read(random_));
    seen_.steps += looked.stepped ? 1 : 0;
    node.tick = node.tick + looked.move;
    node.when = static_cast<double>(node.tick.ns + node.machine.ahead().ns) - node.machine.offset();
    if (frame > settled) {
      seen_.clocks = std::max(seen_.clocks, std::abs(node.machine.offset()));
      seen_.ticks = std::max(seen_.ticks, std::abs(std::remainder(node.when, frame_ns)));
    }
    node.machine.pass_a_frame();
    if (frame % a_second == static_cast<std::int64_t>(n)) node.machine.servo(random_);
    node.tick = node.tick + 1_ms;
  }
  // What was sent a frame ago comes before this tick, unless it is lost, or late.
  void receive(Node& to, const Node& from, std::int64_t frame) {
    const double delay = least_delay + slower_(random_);
    const bool came = frame > 0 && !lost_(random_) && from.when - frame_ns + delay < to.when;
    if (came) to.newest = frame - 1;
    if (frame <= settled) return;
    const auto age = static_cast<std::size_t>(frame - to.newest);
    ++seen_.frames[std::min(age, seen_.frames.size() - 1)];
    ++seen_.images;
  }

  Random random_{7};
  std::exponential_distribution<double> slower_{1 / more_delay};
  std::bernoulli_distribution lost_{loss};
  std::vector<Node> nodes_;
  Seen seen_;
};

TEST(ManyNodes, HaveTheirTicksAsCloseAsTheirClocksAndTheAgesThatTheLossGives) {
  const char* const hours = std::getenv("HILD_NODES_HOURS");
  const double seconds = hours != nullptr ? std::atof(hours) * 3600 : 60;
  const Seen seen = ManyNodes().run(std::llround(seconds * a_second));
  EXPECT_EQ(seen.steps, 0) << "slewing is none";
  EXPECT_LE(seen.ticks, 1.1 * seen.clocks);
  // It is n frames old where n - 1 in a row were lost.
  const auto all = static_cast<double>(seen.images);
  EXPECT_EQ(seen.frames[0], 0);
  for (std::size_t n = 1; n <= 3; ++n) {
    const double expected = (1 - loss) * std::pow(loss, n - 1);
    const double deviation = std::sqrt(expected * (1 - expected) / all);
    EXPECT_NEAR(static_cast<double>(seen.frames[n]) / all, expected, 6 * deviation) << n;
  }
  if (hours == nullptr) return;
  std::printf("%zu nodes, %.0f s: clocks within %.0f ns, ticks within %.0f ns\n", how_many, seconds,
              seen.clocks, seen.ticks);
  for (std::size_t n = 1; n < seen.frames.size(); ++n) {
    std::printf("  %zu frames old: %.3e of %.3e\n", n, static_cast<double>(seen.frames[n]), all);
  }
}

}  // namespace
}  // namespace hild::exec
