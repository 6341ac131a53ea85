// SPDX-License-Identifier: Apache-2.0
/// Several models that have loaded what others saved give the same bits from there on: steps of
/// several frames under way, connections that are carried on or delayed, events, held plants.
#include "support/saved.hpp"

#include <gtest/gtest.h>

#include <random>

#include "exec/partitioned.hpp"
#include "model/coupled/couple.hpp"

namespace hild::testing {
namespace {

using coupled::Connection;
using coupled::CoupledStepper;
using Make = std::function<std::unique_ptr<CoupledStepper>()>;

std::vector<double> values(model::Stepper::In x) { return {x.begin(), x.end()}; }

/// What the loop does with a plant: connects, steps, looks at outputs; now and then something cuts
/// the step, or the plant is held for a frame, in which models are connected and nothing more.
class Frames {
 public:
  explicit Frames(unsigned seed) : random_(seed) {}

  void next(CoupledStepper& plant, CoupledStepper* other) {
    const auto each = [&](auto&& what) {
      what(plant);
      if (other != nullptr) what(*other);
    };
    const bool held = random_() % 7 == 0;
    const bool restarted = random_() % 9 == 0;
    const bool cut = random_() % 6 == 0;
    const double sampled = 0.1 * static_cast<double>(random_() % 5);
    const SimTime from = SimTime{} + kilohertz.tick(frame_);
    const Duration h = SimTime{} + kilohertz.tick(frame_ + 1) - from;
    std::vector<std::vector<double>> found;
    each([&](CoupledStepper& one) {
      std::vector<double> u(one.description().inputs.size(), sampled);
      if (restarted) one.restart(model::Restart::here);
      one.models()->connect(from, u);
      if (!held) {
        step(one, from, h, u);
        if (cut) {
          one.rewind();
          step(one, from, h / 4, u);
          std::vector<double> x = values(one.states());
          if (!one.description().events.empty()) {
            one.system().on_event(0, seconds(from + h / 4), one.states(), u);
          }
          one.restart(model::Restart::here);
          step(one, from + h / 4, h - h / 4, u);
        }
      }
      auto& all = found.emplace_back(values(one.states()));
      std::vector<double> y(one.description().outputs.size());
      one.outputs(seconds(held ? from : from + h), u, y);
      all.insert(all.end(), y.begin(), y.end());
      all.insert(all.end(), u.begin(), u.end());
    });
    ASSERT_EQ(found.front(), found.back()) << "frame " << frame_;
    if (!held) ++frame_;
  }
  [[nodiscard]] SimTime time() const { return SimTime{} + kilohertz.tick(frame_); }

 private:
  static void step(CoupledStepper& plant, SimTime t, Duration h, const std::vector<double>& u) {
    const int passes = plant.begin(t, h).count();
    for (int i = 0; i < passes; ++i) plant.pass(i, u);
    plant.finish();
  }
  std::mt19937 random_;
  std::int64_t frame_ = 0;
};

void expect_to_go_on(const Make& make) {
  for (int before = 0; before < 24; ++before) {
    const auto original = make();
    Frames frames(static_cast<unsigned>(before));
    for (int n = 0; n < before; ++n) frames.next(*original, nullptr);
    const Bytes bytes = save(*original, frames.time());
    const auto other = make();
    Frames elsewhere(77);
    for (int n = 0; n < 9; ++n) elsewhere.next(*other, nullptr);
    ASSERT_EQ(load(*other, bytes, frames.time()), "") << before;
    ASSERT_EQ(save(*other, frames.time()), bytes) << before;
    for (int n = 0; n < 20; ++n) {
      ASSERT_NO_FATAL_FAILURE(frames.next(*original, other.get())) << before << "+" << n;
      ASSERT_EQ(save(*other, frames.time()), save(*original, frames.time())) << before << "+" << n;
    }
  }
}

template <class M>
One one_of(std::string_view name, const numerics::Method& method, coupled::Rate rate = {}) {
  return {name, model::make_stepper<M>(method), rate};
}

// Each of another rate and method, in a ring that a delay opens, one connection carried on.
Make ring(const numerics::Method& a, const numerics::Method& b, coupled::Rate rate) {
  return [=, &a, &b] {
    return couple(kilohertz,
                  {Connection{.from = 0, .to = 1, .factor = 0.5, .degree = 2},
                   Connection{.from = 1, .to = 2, .degree = 1},
                   Connection{.from = 2, .to = 0, .factor = -1, .degree = 1, .delayed = true}},
                  one_of<Integral>("a", a), one_of<Integral>("b", b, rate),
                  one_of<Through>("c", numerics::rtam2, {.substeps = 3}));
  };
}

TEST(SavedModels, GoOnByTheSameBitsAtEveryRate) {
  for (const coupled::Rate rate : {coupled::Rate{}, coupled::Rate{.substeps = 4},
                                   coupled::Rate{.every = 3}, coupled::Rate{.every = 5}}) {
    for (const auto* method : {&numerics::rtrk4, &numerics::ab4, &numerics::rtam3,
                               &numerics::radau_iia, &numerics::libe}) {
      ASSERT_NO_FATAL_FAILURE(expect_to_go_on(ring(numerics::ab3, *method, rate)))
          << method->name << " " << rate.substeps << " " << rate.every;
    }
  }
}

// A ball whose bounces cut the step, beside a slow model under way.
TEST(SavedModels, GoOnByTheSameBitsAroundEvents) {
  expect_to_go_on([] {
    return couple(kilohertz, {Connection{.from = 0, .to = 0, .degree = 1}},
                  one_of<Ball>("ball", numerics::rtrk3),
                  one_of<Integral>("slow", numerics::rtrk4, {.every = 4}));
  });
}

TEST(SavedModels, GoOnByTheSameBitsWithPartitionsUnderWay) {
  expect_to_go_on([] {
    const auto rates =
        model::by_rates({{&numerics::libe, 6}, {&numerics::ab2, 2}}, model::Interface::extrapolate);
    return couple(kilohertz, {Connection{.from = 0, .to = 1, .degree = 1}},
                  One{"parts", model::make_multirate_stepper<Partitioned>(rates), {.every = 3}},
                  one_of<Integral>("after", numerics::ab2));
  });
}

/// Keeps what it alone knows.
struct Secretive : Integral {
  using D = model::Data<Secretive>;
  const double* elsewhere = nullptr;
};

TEST(SavedModels, TheOneThatCannotBeSavedIsNamed) {
  const auto plant = couple(kilohertz, {}, one_of<Integral>("a", numerics::ab2),
                            one_of<Secretive>("b", numerics::ab2));
  hild::Archive archive = hild::Archive::measuring();
  plant->transfer(archive, model::between_steps);
  EXPECT_EQ(words_for(archive.problem()).find("section b: its state cannot be saved"), 0U)
      << words_for(archive.problem());
}

// What would be without end, or beyond an end. A slow model under way, whose method has fewer
// passes than its starter.
TEST(SavedModels, RefuseAStepThatCannotBe) {
  const auto plant = ring(numerics::ab3, numerics::ab4, {.every = 3})();
  Frames frames(3);
  bool too_late = false;
  bool too_many_passes = false;
  for (int n = 0; n < 30; ++n) {
    frames.next(*plant, nullptr);
    const SimTime now = frames.time();
    const Bytes bytes = save(*plant, now);
    const auto tell = [&](const std::string& problem, std::string_view what) {
      return problem.find(what) != std::string::npos;
    };
    const std::string late = load(*plant, bytes, now + 1_s);
    ASSERT_TRUE(late.empty() || tell(late, "the end of a step of several frames")) << late;
    too_late = too_late || !late.empty();
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (const unsigned more : {1U, 2U, 0xFFU}) {
        Bytes changed = bytes;
        changed[at] = static_cast<std::byte>(std::to_integer<unsigned>(bytes[at]) + more);
        const std::string problem = load(*plant, changed, now);
        too_many_passes = too_many_passes || tell(problem, "the number of passes made");
        // What is not refused can be gone on from.
        if (problem.empty()) Frames(frames).next(*plant, nullptr);
      }
    }
    ASSERT_EQ(load(*plant, bytes, now), "");
  }
  EXPECT_TRUE(too_late);
  EXPECT_TRUE(too_many_passes);
}

}  // namespace
}  // namespace hild::testing
