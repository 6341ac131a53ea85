// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is advised on machines whose costs are given: the real ones are as busy as they are.
#include "offline/advise/advice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/config.hpp"

namespace hild::advise {
namespace {

using testing::IsEmpty;

constexpr const char* the_rest =
    "model: {type: oscillator-load}\n"
    "inputs: {injected_current: {value: 0 A}}\n"
    "outputs: {}\n";

plan::Assembly circuit(const std::string& lines) {
  auto config = config::load_text(lines + the_rest, "circuit.yaml");
  EXPECT_TRUE(config) << config.error().message;
  return plan::assemble(std::move(*config));
}

/// The advice for AB-2 at 1 ms, which the circuit's fast load allows 1 us.
Advice on_a_machine_with(const plan::Costs& costs) {
  const std::string configured = "frame: {period: 1 ms}\nintegrator: {method: ab-2}\n";
  plan::Assembly followed = circuit(configured);
  auto trajectory = follow(followed, 50_ms);
  EXPECT_TRUE(trajectory) << trajectory.error().message;
  const plan::Assembly assembly = circuit(configured);
  StepSizeAnalysis known = look_ahead(assembly, std::move(*trajectory), {});
  const std::vector<plan::Measured> of_each(known.candidates.size(), {costs, costs});
  return advise(assembly, std::move(known), of_each, {});
}

TEST(Advice, IsLinesThatMayBeUsed) {
  const Advice advice =
      on_a_machine_with({.wake = 20_us, .io = 0_us, .pass = 10_us, .outputs = 5_us});
  EXPECT_FALSE(advice.in_window()) << "the configured step is a thousand times too long";
  ASSERT_TRUE(advice.chosen);
  const Window& chosen = advice.windows[*advice.chosen];
  EXPECT_TRUE(chosen.calm());
  EXPECT_TRUE(chosen.candidate.rates || chosen.candidate.method->implicit())
      << "no explicit step of a microsecond is done in 35";
  EXPECT_TRUE(chosen.holds(advice.chosen_h));

  std::string lines;
  for (const std::string& line : advice.yaml) lines += line + "\n";
  const plan::Assembly used = circuit(lines);
  EXPECT_NEAR(seconds(used.config.settings.grid.period()), advice.chosen_h, 1e-9) << lines;
}

TEST(Advice, OnAMachineThatIsTooSlowIsNone) {
  const Advice advice =
      on_a_machine_with({.wake = 2_s, .io = 0_us, .pass = 10_us, .outputs = 5_us});
  EXPECT_FALSE(advice.in_window());
  EXPECT_FALSE(advice.chosen);
  EXPECT_THAT(advice.yaml, IsEmpty());
  for (const Window& window : advice.windows) EXPECT_FALSE(window.open()) << window.candidate.name;
  EXPECT_THAT(advice.offers, Not(IsEmpty())) << "what may be done about it";
}

}  // namespace
}  // namespace hild::advise
