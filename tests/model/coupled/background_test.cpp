// SPDX-License-Identifier: Apache-2.0
/// Models in the background: whoever takes their steps and whenever, what comes of them is seen at
/// the tick it is due at; where it is not there by then, the model is in step again after one
/// longer step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "hild/numerics/catalogue.hpp"
#include "model/coupled/couple.hpp"

namespace hild::testing {
namespace {

/// x' = u + 1, and jumps by `jump`, where there is one, at 7 ms.
struct Ramp {
  static constexpr std::string_view name = "ramp";
  static constexpr std::string_view summary = "integral of its input and of 1";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};
  static constexpr std::array parameters{model::Parameter{"slope", "1", 1.0},
                                         model::Parameter{"jump", "1", 0.0}};
  using D = model::Data<Ramp>;
  static void derivatives(double, D::X, D::U u, D::P p, D::DX dx) noexcept { dx[0] = u[0] + p[0]; }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static SimTime next_time_event(SimTime t, D::P p) noexcept {
    return p[1] != 0 && t < SimTime{7'000'000} ? SimTime{7'000'000} : model::never;
  }
  static void on_time_event(double, D::NewX x, D::U, D::NewP p) noexcept { x[0] += p[1]; }
};

/// Runs what was asked for as late as it may, or now and then earlier; and what it is told to not
/// be done with, later.
class Deferring final : public BackgroundRunner {
 public:
  explicit Deferring(unsigned seed = 0) : chance_(seed) {}
  void add(Tasks& tasks, std::size_t line, int count, SimTime next) noexcept override {
    tasks_ = &tasks;
    EXPECT_GE(next, last_next[line]) << "what is asked for comes in its order";
    last_next[line] = next;
    waiting_[line] += count;
    if (chance_.one_in(2)) run(line, static_cast<int>(chance_.below(3)));
  }
  [[nodiscard]] bool ended(std::size_t line) noexcept override {
    ++asked;
    if (late_for > 0) {
      --late_for;
      return false;
    }
    run(line, waiting_[line]);
    return true;
  }
  int late_for = 0;  ///< so many times more it is not done
  int asked = 0;
  std::map<std::size_t, SimTime> last_next;

 private:
  void run(std::size_t line, int count) {
    for (; count > 0 && waiting_[line] > 0; --count, --waiting_[line]) tasks_->run(line);
  }
  Tasks* tasks_ = nullptr;
  std::map<std::size_t, int> waiting_;
  Chance chance_;
};

constexpr coupled::Rate every(int frames) { return {.every = frames, .background = true}; }

SimTime tick(int n) { return SimTime{} + kilohertz.tick(n); }

/// What a frame loop does of a plant of which all inputs that nobody supplies are `u(t)`.
class Stepped {
 public:
  explicit Stepped(std::unique_ptr<coupled::CoupledStepper> plant)
      : plant_(std::move(plant)),
        u_(plant_->description().inputs.size()),
        y_(plant_->description().outputs.size()) {}

  /// A step from frame n over so many.
  void step(int n, int frames = 1) {
    std::ranges::fill(u_, input(seconds(tick(n))));
    plant_->models()->connect(tick(n), u_);
    const model::Passes& passes = plant_->begin(tick(n), kilohertz.tick(frames));
    for (int i = 0; i < passes.count(); ++i) plant_->pass(i, u_);
    plant_->finish();
    plant_->outputs(seconds(tick(n + frames)), u_, y_);
  }
  [[nodiscard]] double state(std::size_t i = 0) { return plant_->states()[i]; }
  [[nodiscard]] double output(std::size_t i = 0) const { return y_[i]; }
  coupled::CoupledStepper& plant() { return *plant_; }
  std::function<double(double)> input = [](double) { return 0.0; };

 private:
  std::unique_ptr<coupled::CoupledStepper> plant_;
  std::vector<double> u_, y_;
};

Stepped alone(const numerics::Method& method, int frames) {
  return Stepped(
      couple(kilohertz, {}, One{"slow", model::make_stepper<Ramp>(method), every(frames)}));
}

TEST(AModelInTheBackground, IsSeenAtTheTicksItIsDueAt) {
  Stepped run = alone(numerics::rk4, 5);
  Deferring runner;
  run.plant().models()->run_in_background(&runner);
  for (int n = 0; n < 21; ++n) {
    run.step(n);
    const int steps = n / 5;
    const double due = steps * 5e-3;  // the last that was due by tick n
    EXPECT_DOUBLE_EQ(run.state(), due) << n;
    EXPECT_DOUBLE_EQ(run.output(), due) << n;
  }
  EXPECT_EQ(runner.asked, 4) << "once a step";
}

// The fast one gets the newest, held or carried on: a line is exact.
TEST(AModelInTheBackground, FeedsOthersAsDeclared) {
  for (const int degree : {0, 1}) {
    Stepped run(couple(kilohertz, {{.from = 0, .to = 1, .degree = degree}},
                       One{"slow", model::make_stepper<Ramp>(numerics::heun), every(4)},
                       One{"fast", model::make_stepper<Integral>(numerics::heun)}));
    for (int n = 0; n < 12; ++n) run.step(n);
    // The integral of what is known: 0, then 4 and 8 ms held; in lines from the second step on.
    const double held = 4e-3 * (0 + 4e-3 + 8e-3);
    const double lines = 4e-3 * (0 + 6e-3 + 10e-3);
    EXPECT_NEAR(run.state(1), degree == 0 ? held : lines, 1e-15) << degree;
  }
}

// Each pass has the inputs of the frame its node lies in: an input that is a parabola is integrated
// as by hand.
TEST(AModelInTheBackground, TakesTheInputsOfTheFrameOfEachNode) {
  Stepped run = alone(numerics::rk4, 4);
  run.input = [](double t) { return 1e6 * t * t; };
  for (int n = 0; n < 5; ++n) run.step(n);
  // Nodes at 0, 2, 2 and 4 ms; the last one lies in the frame from 3 ms on.
  EXPECT_DOUBLE_EQ(run.state(), 4e-3 + 4e-3 / 6 * (0 + 4 * 4.0 + 9.0));
}

TEST(AModelInTheBackground, IsInStepAgainAfterOneLongerStep) {
  for (const int late : {1, 2, 4, 5, 6, 9, 11}) {
    SCOPED_TRACE(late);
    Stepped run = alone(numerics::heun, 5);
    Deferring runner;
    run.plant().models()->run_in_background(&runner);
    for (int n = 0; n < 5; ++n) run.step(n);
    runner.late_for = late;
    for (int n = 5; n < 5 + late; ++n) {
      run.step(n);
      EXPECT_EQ(run.state(), 0) << "it holds, " << n;
    }
    run.step(5 + late);
    EXPECT_DOUBLE_EQ(run.state(), 5e-3);
    // It has at least a whole period left for the step that brings it back.
    const int back = (5 + late + 4) / 5 * 5 + 5;
    for (int n = 6 + late; n < back; ++n) {
      run.step(n);
      EXPECT_DOUBLE_EQ(run.state(), 5e-3) << n;
    }
    run.step(back);
    EXPECT_DOUBLE_EQ(run.state(), back * 1e-3) << "one step";
    for (int n = back + 1; n < back + 5; ++n) run.step(n);
    run.step(back + 5);
    EXPECT_DOUBLE_EQ(run.state(), back * 1e-3 + 5e-3);
    EXPECT_EQ(runner.asked, 1 + late + 1 + 1);
  }
}

// What it missed of its inputs is found on the line between those at its start and those now: an
// input that is a line is integrated exactly.
TEST(AModelInTheBackground, OfALateStepKnowsTheInputsSinceItsStart) {
  for (const numerics::Method* const method : {&numerics::heun, &numerics::rk4}) {
    Stepped run = alone(*method, 4);
    run.input = [](double t) { return 1e3 * t; };
    Deferring runner;
    run.plant().models()->run_in_background(&runner);
    for (int n = 0; n < 4; ++n) run.step(n);
    runner.late_for = 3;
    for (int n = 4; n < 12; ++n) run.step(n);
    const double before = run.state();  // of the step to 4 ms
    run.step(12);
    // From 4 to 12 ms, by nodes of which the last has the input of the frame from 11 ms on.
    const double h = 8e-3;
    const double expected =
        method == &numerics::heun ? h / 2 * (4.0 + 11.0) : h / 6 * (4.0 + 4 * 8.0 + 11.0);
    EXPECT_NEAR(run.state() - before, h + expected, 1e-15) << method->name;
  }
}

// An overrun of the frames is none of it: its step is as long as ever.
TEST(AModelInTheBackground, KeepsItsStepWhereAFrameIsDoubledOverItsEnd) {
  Stepped run = alone(numerics::heun, 5);
  run.input = [](double t) { return 1e3 * t; };
  for (int n = 0; n < 4; ++n) run.step(n);
  run.step(4, 2);
  EXPECT_EQ(run.state(), 0);
  run.step(6);
  const double first = 5e-3 + 5e-3 / 2 * (0.0 + 4.0);
  EXPECT_DOUBLE_EQ(run.state(), first);
  for (int n = 7; n <= 10; ++n) run.step(n);
  // It began at 5 ms, where the inputs of the doubled step held.
  EXPECT_DOUBLE_EQ(run.state(), first + 5e-3 + 5e-3 / 2 * (4.0 + 9.0));
}

TEST(AModelInTheBackground, TakesChangesOverWithItsNextStep) {
  Stepped run = alone(numerics::heun, 5);
  Deferring runner;
  run.plant().models()->run_in_background(&runner);
  model::System& system = run.plant().system();
  for (int n = 0; n < 2; ++n) run.step(n);
  system.set_parameter(0, 3.0);
  system.set_parameter(0, 2.0);
  EXPECT_EQ(system.parameter(0), 2.0) << "what it was set to";
  for (int n = 2; n < 6; ++n) run.step(n);
  EXPECT_DOUBLE_EQ(run.state(), 5e-3) << "a step with the old one";
  for (int n = 6; n < 11; ++n) run.step(n);
  EXPECT_DOUBLE_EQ(run.state(), 15e-3);
  EXPECT_EQ(system.parameter(0), 2.0);

  run.plant().set_states(std::array{1.0});
  for (int n = 11; n < 16; ++n) run.step(n);
  EXPECT_DOUBLE_EQ(run.state(), 1.0) << "the step under way comes to nothing";
  EXPECT_DOUBLE_EQ(run.output(), 1.0);
  for (int n = 16; n < 21; ++n) run.step(n);
  EXPECT_DOUBLE_EQ(run.state(), 1.0 + 10e-3);

  run.plant().set_states(std::array{5.0});
  run.plant().reset();
  for (int n = 21; n < 26; ++n) run.step(n);
  EXPECT_EQ(run.state(), 0);
  for (int n = 26; n < 31; ++n) run.step(n);
  EXPECT_DOUBLE_EQ(run.state(), 10e-3);
}

// Where nobody else takes its steps, nothing waits: as for who rehearses or asks for advice.
TEST(AModelInTheBackground, TakesChangesAtOnceWhereNobodyTakesItsSteps) {
  Stepped run = alone(numerics::heun, 5);
  for (int n = 0; n < 2; ++n) run.step(n);
  run.plant().set_states(std::array{1.0});
  EXPECT_EQ(run.state(), 1.0);
  for (int n = 2; n < 6; ++n) run.step(n);
  EXPECT_DOUBLE_EQ(run.state(), 1.0 + 3e-3) << "from 2 ms to the end of a usual step";
}

TEST(AModelInTheBackground, ActsOnTimeEventsAtTheEndOfTheirStep) {
  Stepped run = alone(numerics::heun, 5);
  run.plant().system().set_parameter(1, 100.0);
  Deferring runner;
  run.plant().models()->run_in_background(&runner);
  for (int n = 0; n < 10; ++n) run.step(n);
  EXPECT_EQ(run.plant().models()->slow_events(), 0);
  run.step(10);
  EXPECT_DOUBLE_EQ(run.state(), 100.0 + 10e-3);
  EXPECT_EQ(run.plant().models()->slow_events(), 1);
  for (int n = 11; n <= 15; ++n) run.step(n);
  EXPECT_DOUBLE_EQ(run.state(), 100.0 + 15e-3) << "once";
}

// Its state moves where it is taken over, by a whole step: that is no error of the frames.
TEST(AModelInTheBackground, HasNoPartInTheErrorOfTheFrames) {
  for (const numerics::Method* const method : {&numerics::rtam2, &numerics::libe}) {
    Stepped run(couple(kilohertz, {},
                       One{"slow", model::make_stepper<Ramp>(numerics::heun), every(5)},
                       One{"fast", model::make_stepper<Integral>(*method)}));
    Deferring runner;
    run.plant().models()->run_in_background(&runner);
    for (int n = 0; n < 12; ++n) {
      run.step(n);
      const auto [before, slopes] = run.plant().step_start();
      if (slopes.empty()) {
        EXPECT_EQ(before[0], run.state()) << n;
      } else {
        EXPECT_EQ(slopes[0], 0) << n;
      }
      std::array<double, 2> dx{1, 1};
      run.plant().system().derivatives(0, run.plant().states(), std::array{1.0, 1.0}, dx);
      EXPECT_EQ(dx[0], 0) << "nobody asks it";
    }
  }
}

TEST(AModelInTheBackground, RestartsWithItsNextStep) {
  Stepped run = alone(numerics::ab2, 4);
  Deferring runner;
  run.plant().models()->run_in_background(&runner);
  for (int n = 0; n < 8; ++n) {
    run.step(n);
    if (n == 5) run.plant().restart(model::Restart::here);
  }
  for (int n = 8; n < 17; ++n) run.step(n);
  EXPECT_DOUBLE_EQ(run.state(), 16e-3);
}

TEST(AModelInTheBackground, CannotBeSavedInItsMidst) {
  Stepped run = alone(numerics::heun, 5);
  Archive measured = Archive::measuring();
  run.plant().transfer(measured, model::between_steps);
  EXPECT_FALSE(measured.good());
  EXPECT_THAT(std::string(measured.problem().what), ::testing::HasSubstr("in the background"));
}

/// A few models that feed one another, of which some are in the background.
Stepped several(unsigned seed) {
  Chance chance(seed);
  const auto& methods = numerics::catalogue();
  std::vector<coupled::Part> parts;
  std::vector<std::unique_ptr<model::Stepper>> plants;
  std::vector<coupled::Connection> connections;
  const std::size_t n = 2 + chance.below(5);
  for (std::size_t i = 0; i < n; ++i) {
    const numerics::Method& method = *methods[chance.below(methods.size())];
    const coupled::Rate rate =
        i == 0 || chance.one_in(2) ? every(2 + static_cast<int>(chance.below(6))) : coupled::Rate{};
    plants.push_back(model::make_stepper<Curved>(method));
    plants.back()->system().set_parameter(0, 40.0 + 17.0 * static_cast<double>(i));
    parts.push_back({Name("m" + std::to_string(i)), plants.back()->description(), &method, rate});
    if (chance.one_in(4)) continue;
    connections.push_back(connection_by(chance, n, i));
  }
  Stepped run(std::make_unique<coupled::CoupledStepper>(
      std::make_shared<coupled::Composition>(std::move(parts), std::move(connections)),
      std::move(plants), kilohertz));
  run.input = [](double t) { return std::sin(300 * t); };
  return run;
}

std::vector<double> values_of(Stepped& run, unsigned seed) {
  Chance chance(seed);
  std::vector<double> all;
  for (int n = 0; n < 60;) {
    const int frames = chance.one_in(7) ? 2 : 1;
    run.step(n, frames);
    n += frames;
    for (const double x : run.plant().states()) all.push_back(x);
    for (std::size_t i = 0; i < run.plant().description().outputs.size(); ++i) {
      all.push_back(run.output(i));
    }
  }
  return all;
}

TEST(ModelsInTheBackground, GiveTheSameBitsWheneverTheirStepsAreTaken) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    Stepped at_once = several(seed);
    Stepped later = several(seed);
    Deferring runner(seed);
    later.plant().models()->run_in_background(&runner);
    ASSERT_EQ(values_of(later, seed), values_of(at_once, seed)) << "seed " << seed;
  }
}

// Each pass has the inputs of the frame its node lies in, the last one those a frame before its
// node: by Simpson's rule that leaves a sixth of a frame of the input, whatever the step. Held over
// the step it would be half a step.
TEST(AModelInTheBackground, IsAsExactAsTheInputsOfItsNodes) {
  const double w = 2 * M_PI * 2;
  for (const int frames : {10, 20}) {
    Stepped run = alone(numerics::rk4, frames);
    run.input = [w](double t) { return w * std::cos(w * t) - 1; };
    double worst = 0;
    for (int n = 0; n <= 1000; ++n) {
      run.step(n);
      if (n % frames == 0) {
        worst = std::max(worst, std::abs(run.state() - std::sin(w * n * 1e-3)));
      }
    }
    EXPECT_NEAR(worst, 1e-3 / 6 * 2 * w, 0.05 * worst) << frames;
  }
}

}  // namespace
}  // namespace hild::testing
