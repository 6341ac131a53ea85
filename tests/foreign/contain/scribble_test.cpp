// SPDX-License-Identifier: Apache-2.0
/// \file
/// A model in a process of its own that writes into all the memory that its process shares: hild
/// goes on, and so does every other model, as if it were not there.
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>

#include "foreign/contain/own.hpp"
#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"
#include "model/coupled/couple.hpp"

namespace hild::testing {
namespace {

struct Range {
  std::uintptr_t first = 0;
  std::uintptr_t end = 0;
};

/// Memory of this process that another one sees, by what the kernel says.
std::vector<Range> shared_memory() {
  std::vector<Range> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    Range r;
    std::array<char, 5> mode{};
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %4s", &r.first, &r.end, mode.data()) ==
            3 &&
        mode[1] == 'w' && mode[3] == 's') {
      found.push_back(r);
    }
  }
  return found;
}

/// One word at a time, of values that a word may not have, or any bytes.
class Scribbler {
 public:
  explicit Scribbler(unsigned seed) : random_(seed), ranges_(shared_memory()) {}

  void once() {
    const Range& r = ranges_[random_() % ranges_.size()];
    // Mostly where the words are, before the vectors.
    const std::uintptr_t bytes =
        random_() % 4 == 0 ? r.end - r.first : std::min<std::uintptr_t>(r.end - r.first, 256);
    auto* const words = reinterpret_cast<std::uint32_t*>(r.first);  // NOLINT: an address
    const std::size_t at = random_() % (bytes / 4);
    constexpr std::array<std::uint32_t, 8> odd{0,          1,          2,          64,
                                               0x7fffffff, 0x80000000, 0xffffffff, 0x7ff00000};
    words[at] =
        random_() % 2 == 0 ? odd[random_() % odd.size()] : static_cast<std::uint32_t>(random_());
  }

 private:
  std::minstd_rand random_;
  std::vector<Range> ranges_;
};

/// x' = u with an event, which from its first step on writes where its parameter says: 0 not, 1 a
/// word in a call, 2 all the time, from another thread.
struct Vandal {
  static constexpr std::string_view name = "vandal", summary = "writes where it must not";
  static constexpr std::array states{model::State{"x"}, model::State{"z"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array parameters{model::Parameter{"how"}, model::Parameter{"seed"}};
  static constexpr std::array events{model::Event{"half"}};
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};
  using D = model::Data<Vandal>;
  void derivatives(double, D::X, D::U u, D::P p, D::DX dx) noexcept {
    dx[0] = u[0];
    dx[1] = 1;
    scribble(p);
  }
  void outputs_of(double, D::X x, D::U, D::P p, D::Y y) noexcept {
    y[0] = x[0];
    scribble(p);
  }
  static void event_functions(double, D::X x, D::U, D::P, std::span<double, 1> g) noexcept {
    g[0] = x[1] - 0.01;
  }
  static void on_event(std::size_t, double, D::NewX, D::U, D::NewP) noexcept {}

  void scribble(D::P p) noexcept {
    const auto seed = static_cast<unsigned>(p[1]);
    if (p[0] == 1) {
      if (!scribbler) scribbler.emplace(seed);
      scribbler->once();
    }
    if (p[0] == 2 && !scribbler) {
      scribbler.emplace(seed);
      std::thread([] {
        for (;;) scribbler->once();
      }).detach();
    }
  }
  static std::optional<Scribbler> scribbler;  // of its process: not one is in this
};
std::optional<Scribbler> Vandal::scribbler;
HILD_MODEL(Vandal);

/// The same, that also asks for time events: it may cut the frames of all, to the nanosecond.
struct TimedVandal : Vandal {
  static constexpr std::string_view name = "timed-vandal";
  using D = model::Data<TimedVandal>;
  static SimTime next_time_event(SimTime t, std::span<const double, 2>) noexcept {
    return t + 700_us;
  }
  static void on_time_event(double, std::span<double, 2>, std::span<const double, 1>,
                            std::span<double, 2>) noexcept {}
};

HILD_MODEL(TimedVandal);

// As many as somebody asks for who has the time.
int rounds() {
  const char* const asked = std::getenv("HILD_SCRIBBLE_ROUNDS");
  return asked == nullptr ? 30 : std::atoi(asked);
}

template <class Model>
std::unique_ptr<model::Stepper> vandal(int how, int seed) {
  auto made = in_its_own(Model::name, seed % 2 == 0 ? &numerics::ab2 : &numerics::rk4, 100_ms);
  made->system().set_parameter(1, seed);
  made->system().set_parameter(0, how);
  return made;
}

std::unique_ptr<model::Stepper> honest() {
  return model::find_model("van-der-pol")->make(numerics::rk4);
}

// Until the run ends, be it by a value of the vandal's that is no number; the other one's states
// are those it has alone after as many frames.
TEST(Scribble, OfAModelChangesNoOther) {
  for (int seed = 0; seed < rounds(); ++seed) {
    const int how = 1 + seed / 2 % 2;
    Rig rig(couple(kilohertz, {}, One{"bad", vandal<Vandal>(how, seed)}, One{"good", honest()}),
            [](double) { return 0.5; });
    rig.settings.overrun.then = exec::LimitAction::carry_on;  // where the vandal's process is ended
    const auto outcome = rig.run(40);
    const bool fault = outcome.end == exec::End::model_fault;
    EXPECT_TRUE(fault || outcome.end == exec::End::duration) << seed;
    const SimTime end = fault ? outcome.t : SimTime{} + 40_ms;
    const auto alone = honest();
    for (SimTime t{}; t < end; t += 1_ms) alone->step(t, 1_ms, std::array{0.5});
    const auto states = rig.plant.states().subspan(Vandal::states.size());
    EXPECT_TRUE(std::ranges::equal(states, alone->states())) << seed << ", to " << seconds(end);
  }
}

TEST(Scribble, OfOneThatCutsFramesEndsNoRun) {
  for (int seed = 0; seed < rounds(); ++seed) {
    Rig rig(vandal<TimedVandal>(1 + seed / 2 % 2, seed), [](double) { return 1.0; });
    rig.run(40);
    EXPECT_GT(rig.records.size(), 0U) << seed;
  }
}

}  // namespace
}  // namespace hild::testing
