// SPDX-License-Identifier: Apache-2.0
/// A model in a process of its own that has loaded what another one saved goes on by the same bits:
/// its state crosses over in pieces, and no more of it than was agreed on.
#include "support/saved.hpp"

#include <gmock/gmock.h>

#include "foreign/contain/gate.hpp"
#include "foreign/contain/own.hpp"
#include "hild/model/integrated.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::testing {
namespace {

using model::Stepper;
using ::testing::HasSubstr;

void take_frames(Stepper& plant, std::int64_t from, std::int64_t to) {
  for (std::int64_t n = from; n < to; ++n) {
    const std::vector<double> u(plant.description().inputs.size(), 0.1 * static_cast<double>(n));
    const SimTime t{n * 1'000'000};
    if (n % 5 == 2) plant.restart(model::Restart::here);
    const int passes = plant.begin(t, 1_ms).count();
    for (int i = 0; i < passes; ++i) plant.pass(i, u);
    plant.finish();
  }
}

template <class Make>
void expect_to_go_on(const Make& make) {
  const auto original = make();
  original->system().set_parameter(0, 1.5);
  take_frames(*original, 0, 9);
  const SimTime now{9'000'000};
  const Bytes bytes = save(*original, now);
  const auto other = make();
  take_frames(*other, 0, 2);
  ASSERT_EQ(load(*other, bytes, now), "");
  EXPECT_EQ(save(*other, now), bytes);
  EXPECT_EQ(other->system().parameter(0), 1.5);
  take_frames(*original, 9, 30);
  take_frames(*other, 9, 30);
  EXPECT_TRUE(std::ranges::equal(original->states(), other->states())) << original->method().name;
  EXPECT_TRUE(
      std::ranges::equal(original->step_start().derivatives, other->step_start().derivatives));
  EXPECT_EQ(save(*other, now), save(*original, now));
}

TEST(SavedElsewhere, GoesOnByTheSameBitsUnderEveryMethod) {
  for (const numerics::Method* m : numerics::catalogue()) {
    ASSERT_NO_FATAL_FAILURE(expect_to_go_on([&] { return in_its_own("van-der-pol", m); }));
  }
}

/// Keeps more than one piece holds: what it had been given at each of its last evaluations.
struct Hoarder {
  static constexpr std::string_view name = "hoarder", summary = "keeps a lot";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array parameters{model::Parameter{"share", "1", 1}};
  using D = model::Data<Hoarder>;
  void derivatives(double, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    at = (at + 1499) % kept.size();
    dx[0] = p[0] * u[0] - x[0] + kept[at];
    kept[at] += x[0] + 1;
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  void transfer(Archive& archive) noexcept {
    archive.number(at, 0, kept.size() - 1, "the place");
    archive(kept);
  }

  std::array<double, 5003> kept{};
  std::size_t at = 0;
};
HILD_MODEL(Hoarder);
static_assert(sizeof(Hoarder) > 2 * remote::piece_bytes);

TEST(SavedElsewhere, GoesOnByTheSameBitsInSeveralPieces) {
  expect_to_go_on([] { return in_its_own("hoarder", &numerics::rtam2); });
}

TEST(SavedElsewhere, RefusesWhatItCannotBe) {
  const auto plant = in_its_own("hoarder", &numerics::rtam2);
  Bytes bytes = save(*plant, {});
  const std::size_t place = 4 + sizeof(double);  // behind the length and the parameter
  bytes[place + 7] = std::byte{0x11};
  EXPECT_THAT(load(*plant, bytes, {}), HasSubstr("does not take its state back"));
  bytes = save(*plant, {});
  bytes[2] = std::byte{0xFF};
  EXPECT_THAT(load(*plant, bytes, {}), HasSubstr("bytes of the model's state is"));
}

/// Has members that only it can tell.
struct Closed : Hoarder {
  static constexpr std::string_view name = "closed";
  using D = model::Data<Closed>;
  void transfer(Archive& archive) noexcept { archive.refuse("it has a secret"); }
};
HILD_MODEL(Closed);

TEST(SavedElsewhere, SaysInItsOwnWordsThatItCannot) {
  const auto plant = in_its_own("closed", &numerics::rk4);
  Archive archive = Archive::measuring();
  plant->transfer(archive, model::between_steps);
  EXPECT_THAT(words_for(archive.problem()), HasSubstr("cannot be saved: it has a secret"));
  EXPECT_FALSE(plant->system().cap_counts()->gone);
}

/// Waits at the gate, from an input of 1 on.
struct Late {
  static constexpr std::string_view name = "late", summary = "comes when it is let in";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Late>;
  static void derivatives(double, D::X, D::U u, D::P, D::DX dx) noexcept {
    if (u[0] >= 1) Gate::wait();
    dx[0] = u[0];
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};
HILD_MODEL(Late);

TEST(SavedElsewhere, IsNotAskedWhileAnAnswerIsOwed) {
  const Gate gate;
  const auto plant = in_its_own("late", &numerics::forward_euler, 50_ms);
  const Bytes bytes = save(*plant, {});
  plant->step({}, 1_ms, std::array{2.0});
  Archive archive = Archive::loading(bytes, {});
  plant->transfer(archive, model::between_steps);
  EXPECT_THAT(words_for(archive.problem()), HasSubstr("owes an answer"));
  EXPECT_EQ(plant->system().cap_counts()->late_answers, 1) << "and is not asked again";
  gate.open();
}

}  // namespace
}  // namespace hild::testing
