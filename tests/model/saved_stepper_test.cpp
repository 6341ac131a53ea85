// SPDX-License-Identifier: Apache-2.0
/// A stepper that has loaded what another one saved gives the same bits as that one from there on:
/// every method of the catalogue under every built-in model, and by partitions; in the midst of
/// starters, after doubled and abandoned steps, after restarts, in the midst of a step.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "hild/model/integrated.hpp"
#include "hild/numerics/catalogue.hpp"
#include "hild/numerics/every_method.hpp"
#include "model/advance.hpp"
#include "support/circuit.hpp"
#include "support/saved.hpp"

namespace hild::testing {
namespace {

using model::Stepper;
using Make = std::function<std::unique_ptr<Stepper>()>;

bool same_bits(Stepper::In a, Stepper::In b) {
  return std::ranges::equal(a, b, [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

// What follows asserts much in one place, which expands to many branches.
// NOLINTBEGIN(readability-function-size)

/// All that may be asked of them after a step.
void expect_alike(Stepper& a, Stepper& b, const std::string& where) {
  ASSERT_TRUE(same_bits(a.states(), b.states())) << where;
  ASSERT_TRUE(same_bits(a.step_start().states, b.step_start().states)) << where;
  ASSERT_TRUE(same_bits(a.step_start().derivatives, b.step_start().derivatives)) << where;
  std::vector<double> va(a.description().states.size());
  std::vector<double> vb(va);
  ASSERT_EQ(a.error_estimate(va), b.error_estimate(vb)) << where;
  ASSERT_TRUE(same_bits(va, vb)) << where;
  ASSERT_EQ(a.dense(0.4, va), b.dense(0.4, vb)) << where;
  ASSERT_TRUE(same_bits(va, vb)) << where;
  for (std::size_t i = 0; i < a.description().parameters.size(); ++i) {
    ASSERT_EQ(a.system().parameter(i), b.system().parameter(i)) << where;
  }
}

/// A step of what may happen in a run, the same for the same seed.
class Story {
 public:
  Story(unsigned seed, Duration h) : random_(seed), h_(h) {}

  /// Both of them; then also what they have saved is alike.
  void go_on(Stepper& a, Stepper* b) {
    const auto each = [&](auto&& what) {
      what(a);
      if (b != nullptr) what(*b);
    };
    const std::vector<double> u(a.description().inputs.size(), 0.1 * draw(4));
    const Duration h = draw(5) == 0 ? h_ * 2 : h_;
    if (const auto n = a.description().parameters.size(); n > 0 && draw(9) == 0) {
      const std::size_t i = draw(static_cast<unsigned>(n));
      const double value = a.system().parameter(i) * (1 + 0.01 * draw(3));
      each([&](Stepper& s) { s.system().set_parameter(i, value); });
    }
    if (draw(12) == 0) each([](Stepper& s) { s.restart(model::Restart::here); });
    const auto step = [&](Duration length) {
      each([&](Stepper& s) {
        const int passes = s.begin(t, length).count();
        for (int i = 0; i < passes; ++i) s.pass(i, u);
        s.finish();
      });
    };
    step(h);
    if (draw(6) == 0) {  // an event within it
      each([](Stepper& s) { s.rewind(); });
      const Duration before = part(h, 0.3);
      step(before);
      t += before;
      each([](Stepper& s) { s.restart(model::Restart::here); });
      step(h - before);
      t += h - before;
    } else {
      t += h;
    }
    if (b != nullptr) expect_alike(a, *b, std::string(a.method().name));
  }

  SimTime t{};

 private:
  unsigned draw(unsigned below) { return static_cast<unsigned>(random_() % below); }
  std::mt19937 random_;
  Duration h_;
};

// After each number of steps up to a few more than any method remembers, and after many.
void expect_to_go_on(const Make& make, Duration h) {
  for (const int before : {0, 1, 2, 3, 4, 5, 6, 7, 25}) {
    const auto original = make();
    Story story(static_cast<unsigned>(before) + 1, h);
    for (int n = 0; n < before; ++n) story.go_on(*original, nullptr);
    const Bytes bytes = save(*original, story.t);
    const auto other = make();
    Story elsewhere(99, h);
    for (int n = 0; n < 5; ++n) elsewhere.go_on(*other, nullptr);
    ASSERT_EQ(load(*other, bytes, story.t), "");
    ASSERT_EQ(save(*other, story.t), bytes) << original->method().name << " after " << before;
    for (int n = 0; n < 12; ++n) {
      ASSERT_NO_FATAL_FAILURE(story.go_on(*original, other.get())) << before << "+" << n;
      ASSERT_EQ(save(*other, story.t), save(*original, story.t)) << original->method().name;
    }
  }
}

// In the midst of a step, after each number of passes.
void expect_to_complete(const Make& make, Duration h) {
  const int most = [&] {
    const auto plant = make();
    return plant->method().passes;
  }();
  for (int made = 0; made <= most; ++made) {
    const auto original = make();
    Story story(7, h);
    for (int n = 0; n < 6; ++n) story.go_on(*original, nullptr);
    const std::vector<double> u(original->description().inputs.size(), 0.2);
    const int passes = original->begin(story.t, h).count();
    if (made > passes) continue;  // of a starter
    for (int i = 0; i < made; ++i) original->pass(i, u);
    const Bytes bytes = save(*original, story.t, made);
    const auto other = make();
    ASSERT_EQ(load(*other, bytes, story.t, made), "");
    ASSERT_EQ(save(*other, story.t, made), bytes) << original->method().name << " " << made;
    // What a line through the step begins with: of an explicit one once it was evaluated.
    const bool slope_known = made > 0;
    ASSERT_TRUE(!slope_known ||
                same_bits(original->step_start().derivatives, other->step_start().derivatives))
        << original->method().name << " " << made;
    for (auto* one : {original.get(), other.get()}) {
      for (int i = made; i < passes; ++i) one->pass(i, u);
      one->finish();
    }
    ASSERT_NO_FATAL_FAILURE(expect_alike(*original, *other, std::string(original->method().name)))
        << "after " << made << " passes";
    story.t += h;
    for (int n = 0; n < 6; ++n) ASSERT_NO_FATAL_FAILURE(story.go_on(*original, other.get()));
  }
}

// NOLINTEND(readability-function-size)

TEST(SavedStepper, GoesOnByTheSameBitsForEveryModelAndMethod) {
  for (const auto* registration : model::models()) {
    for (const auto* method : numerics::catalogue()) {
      const Make make = [&] { return registration->make(*method); };
      ASSERT_NO_FATAL_FAILURE(expect_to_go_on(make, 10_us)) << registration->description.name;
      ASSERT_NO_FATAL_FAILURE(expect_to_complete(make, 10_us)) << registration->description.name;
    }
  }
}

TEST(SavedStepper, GoesOnByTheSameBitsCompiledTogetherWithEveryMethod) {
  numerics::with_every_method([]<const numerics::Method & M>() {
    using Together = model::Integrated<test::Circuit<true>, numerics::Fixed<M>>;
    const Make make = [] { return std::make_unique<Together>(numerics::Fixed<M>{}); };
    expect_to_go_on(make, 1_us);
    expect_to_complete(make, 1_us);
  });
}

/// The circuit in three parts.
struct Parted : test::Circuit<true> {
  static constexpr std::array<std::string_view, 2> fast{"i_L", "u_C"};
  static constexpr std::array<std::string_view, 9> slow{"i_1", "u_1", "i_2", "u_2", "u_3",
                                                        "i_4", "u_4", "i_5", "u_5"};
  static constexpr std::array<std::string_view, 2> rest{"u_l", "i_3"};
  static constexpr std::array partitions{model::Partition{"fast", fast},
                                         model::Partition{"slow", slow},
                                         model::Partition{"rest", rest}};
};
/// Its states can be evaluated alone.
struct PartedAlone : Parted {
  static void derivatives_of(std::size_t first, std::size_t last, double t, D::X x, D::U u, D::P p,
                             D::DX dx) noexcept {
    std::array<double, 13> all{};
    derivatives(t, x, u, p, all);
    for (std::size_t i = first; i < last; ++i) dx[i] = all[i];
  }
};

template <class M, model::Multirate Rates>
void rates_go_on() {
  const Make read = [] { return std::make_unique<model::Integrated<M, model::Multirate>>(Rates); };
  expect_to_go_on(read, 1_us);
  expect_to_complete(read, 1_us);
  using Fixed = model::FixedRates<Rates>;
  const Make together = [] { return std::make_unique<model::Integrated<M, Fixed>>(Fixed{}); };
  expect_to_go_on(together, 1_us);
  expect_to_complete(together, 1_us);
}

template <class M>
void all_rates_go_on() {
  using model::by_rates, model::Interface;
  using numerics::forward_euler, numerics::ab2, numerics::libe, numerics::backward_euler;
  rates_go_on<M, by_rates({{&forward_euler, 10}, {&forward_euler, 1}, {&forward_euler, 2}})>();
  rates_go_on<M, by_rates({{&ab2, 6}, {&ab2, 2}, {&libe, 3}}, Interface::extrapolate)>();
  rates_go_on<M, by_rates({{&libe, 2}, {&backward_euler, 1}, {&ab2, 4}})>();
  rates_go_on<M, by_rates({{&ab2, 2}, {&forward_euler, 6}, {&forward_euler, 3}})>();
}

TEST(SavedStepper, GoesOnByTheSameBitsByPartitions) {
  all_rates_go_on<Parted>();
  all_rates_go_on<PartedAlone>();
}

// ---- models that keep something ----------------------------------------------------------------

/// x' = -x + what it has counted; counts its evaluations in members of several kinds.
struct Counting {
  static constexpr std::string_view name = "counting", summary = "keeps what it did";
  static constexpr std::array states{model::State{"x", "1", 1.0}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"x"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Counting>;
  void derivatives(double, D::X x, D::U, D::P, D::DX dx) noexcept {
    rising = !rising;
    where[0].near = static_cast<std::size_t>(++count % 5);
    gear = rising ? Gear::high : Gear::low;
    where[1].sum += x[0] * static_cast<double>(where[0].near);
    dx[0] = where[1].sum - x[0] + (gear == Gear::high ? 1 : 0);
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }

  enum class Gear : std::uint8_t { low, high };
  struct Place {
    std::size_t near = 0;
    double sum = 0;
  };
  bool rising = false;
  std::int32_t count = 0;
  Gear gear = Gear::low;
  std::array<Place, 2> where{};
};

/// The same behind a function of its own, which looks at what it loads.
class Careful : public Counting {
 public:
  using D = model::Data<Careful>;
  void transfer(Archive& archive) noexcept {
    archive(rising, where[1].sum);
    archive.number(count, 0, 1'000'000, "evaluations");
    archive.number(where[0].near, 0, 4, "the nearest place");
    archive.choice(gear, Gear::high, "gear");
  }
};

/// The same beyond what can be found.
struct Secretive : Counting {
  using D = model::Data<Secretive>;
  const double* elsewhere = nullptr;
};

template <class M>
Make plain() {
  return [] {
    return std::make_unique<model::Integrated<M, numerics::Fixed<numerics::ab2>>>(
        numerics::Fixed<numerics::ab2>{});
  };
}

TEST(SavedStepper, BringsBackWhatAModelKeepsInMembers) {
  expect_to_go_on(plain<Counting>(), 10_ms);
  expect_to_go_on(plain<Careful>(), 10_ms);
}

TEST(SavedStepper, OfAModelThatCannotBeLookedIntoSaysSo) {
  Archive archive = Archive::measuring();
  plain<Secretive>()()->transfer(archive, model::between_steps);
  EXPECT_EQ(words_for(archive.problem()).find("its state cannot be saved: the model has"), 0U)
      << words_for(archive.problem());
}

TEST(SavedStepper, LetsAModelRefuseWhatItCannotBe) {
  const auto plant = plain<Careful>()();
  Bytes bytes = save(*plant, {});
  bytes[9] = std::byte{0xFF};  // the lowest byte of the number of evaluations
  bytes[12] = std::byte{0x7F};
  EXPECT_EQ(load(*plant, bytes, {}), "byte 9: evaluations is 2130706687, expected 0 to 1000000");
}

}  // namespace
}  // namespace hild::testing
