// SPDX-License-Identifier: Apache-2.0
/// FMUs that can give their state go on from it by the same bits, in another instance: under model
/// exchange with every method, through state events, time events and discrete inputs, and as
/// co-simulation; the others say that they cannot.
#include "support/saved.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <functional>

#include "foreign/fmu/altered.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::testing {
namespace {

using model::Stepper;
using ::testing::HasSubstr;
using Make = std::function<std::unique_ptr<Stepper>()>;

/// A frame as the loop takes it: cut at time events, and at a state event where one line through
/// both ends puts it. What it leaves: states, then outputs, as they are to the bit.
std::vector<std::uint64_t> take_frame(Stepper& plant, std::int64_t n) {
  const auto& d = plant.description();
  const std::vector<double> u(d.inputs.size(), std::floor(static_cast<double>(n % 9) / 3));
  model::System& system = plant.system();
  const auto step = [&](SimTime t, Duration h) {
    const int passes = plant.begin(t, h).count();
    for (int i = 0; i < passes; ++i) plant.pass(i, u);
    plant.finish();
  };
  const auto indicator = [&](SimTime t) {
    std::vector<double> g(d.events.size());
    system.event_functions(seconds(t), plant.states(), u, g);
    return g.empty() ? 1.0 : g[0];
  };
  if (n % 11 == 5 && !d.parameters.empty())
    system.set_parameter(0, 1 + 0.01 * static_cast<double>(n % 3));
  SimTime t{n * 10'000'000};
  const SimTime end = t + 10_ms;
  while (t < end) {
    const SimTime event = d.time_events ? system.next_time_event(t) : model::never;
    const SimTime next = std::min(event, end);
    const double before = indicator(t);
    step(t, next - t);
    if (const double after = indicator(next); before > 0 && after <= 0) {
      plant.rewind();
      const Duration to = part(next - t, before / (before - after));
      if (to.ns > 0) step(t, to);
      system.on_event(0, seconds(t + to), plant.states(), u);
      plant.restart(model::Restart::here);
      if (t + to < next) step(t + to, next - t - to);
    }
    if (event == next) {
      system.on_time_event(seconds(next), plant.states(), u);
      plant.restart(model::Restart::here);
    }
    t = next;
  }
  std::vector<double> all(plant.states().begin(), plant.states().end());
  std::vector<double> y(d.outputs.size());
  plant.outputs(seconds(end), u, y);
  all.insert(all.end(), y.begin(), y.end());
  std::vector<std::uint64_t> bits;
  bits.reserve(all.size());
  for (const double v : all) bits.push_back(std::bit_cast<std::uint64_t>(v));
  return bits;
}

void expect_to_go_on(const Make& make) {
  for (const std::int64_t before : {0, 1, 2, 3, 4, 9, 45, 46}) {
    const auto original = make();
    for (std::int64_t n = 0; n < before; ++n) take_frame(*original, n);
    const SimTime now{before * 10'000'000};
    const Bytes bytes = save(*original, now);
    const auto other = make();
    for (std::int64_t n = 0; n < 4; ++n) take_frame(*other, n);
    ASSERT_EQ(load(*other, bytes, now), "") << before;
    ASSERT_EQ(save(*other, now), bytes);
    for (std::int64_t n = before; n < before + 60; ++n) {
      ASSERT_EQ(take_frame(*original, n), take_frame(*other, n))
          << original->method().name << " from " << before << " at " << n;
    }
  }
}

class SavedFmu : public OfVersion {};
INSTANTIATE_TEST_SUITE_P(Fmi, SavedFmu, ::testing::Values(2, 3));

TEST_P(SavedFmu, GoesOnByTheSameBitsUnderEveryMethod) {
  for (const char* name : {"van_der_pol", "bouncing_ball", "stairs", "feedthrough"}) {
    const auto loaded = load_fmu(name, GetParam());
    for (const numerics::Method* m : numerics::catalogue()) {
      if (m->implicit() && loaded.description.states.empty()) continue;
      ASSERT_NO_FATAL_FAILURE(expect_to_go_on([&] { return loaded.make(*m); })) << name;
    }
  }
}

TEST_P(SavedFmu, GoesOnByTheSameBitsWithASolverOfItsOwn) {
  for (const char* steps : {"canHandleVariableCommunicationStepSize=\"true\"", ""}) {
    const Archive archive;
    archive.copy("van_der_pol", GetParam());
    archive.add("modelDescription.xml",
                with(description_of("van_der_pol", GetParam()), "<ModelExchange",
                     std::string("<CoSimulation ") + steps));
    const auto loaded = fmu::load(archive.path());
    ASSERT_TRUE(loaded) << loaded.error().message;
    ASSERT_EQ(loaded->kind, fmu::Kind::co_simulation);
    expect_to_go_on([&] { return loaded->make(numerics::forward_euler); });
  }
}

std::string refusal_of(Stepper& plant) {
  hild::Archive archive = hild::Archive::measuring();
  plant.transfer(archive, model::between_steps);
  return words_for(archive.problem());
}

TEST_P(SavedFmu, SaysThatItCannot) {
  EXPECT_THAT(refusal_of(*load_fmu("decay", GetParam()).make(numerics::rk4)),
              HasSubstr("does not say that its state can be saved (canGetAndSetFMUState"));
  // To give its state without being able to put it into bytes is not enough.
  const std::string flag = GetParam() == 2 ? "canSerializeFMUstate" : "canSerializeFMUState";
  const Archive archive;
  archive.copy("van_der_pol", GetParam());
  archive.add("modelDescription.xml", with(description_of("van_der_pol", GetParam()),
                                           flag + "=\"true\"", flag + "=\"false\""));
  const auto loaded = fmu::load(archive.path());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(refusal_of(*loaded->make(numerics::rk4)), HasSubstr("does not say"));
}

// The bytes are the FMU's, which knows its own.
TEST_P(SavedFmu, MayRefuseWhatIsNotItsOwn) {
  const auto loaded = load_fmu("van_der_pol", GetParam());
  const auto plant = loaded.make(numerics::rk4);
  Bytes bytes = save(*plant, {});
  bytes[5] ^= std::byte{1};  // behind the length
  EXPECT_THAT(load(*plant, bytes, {}), HasSubstr("the FMU does not take its state back"));
  bytes = save(*plant, {});
  bytes[3] = std::byte{0x10};
  EXPECT_THAT(load(*plant, bytes, {}), HasSubstr("bytes of the FMU's state is"));
}

}  // namespace
}  // namespace hild::testing
