// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which models go to which CPU, by costs that are given.
#include "offline/advise/cpus.hpp"

#include <gmock/gmock.h>

#include "config/config.hpp"

namespace hild::advise {
namespace {

using ::testing::ElementsAre;

plan::Assembly four_models() {
  const std::string motor = ": {type: dc-motor, integrator: {method: rk-4}}\n";
  auto config = config::load_text("frame: {period: 1 ms, cpu: 0}\nmodels:\n  a" + motor + "  b" +
                                      motor + "  c" + motor + "  d" + motor,
                                  "rig.yaml");
  if (!config) throw std::runtime_error(config.error().message);
  return plan::assemble(std::move(*config));
}

std::vector<Duration> longest(const CpuAdvice& a) {
  std::vector<Duration> all;
  for (const CpuChoice& choice : a.choices) all.push_back(choice.longest);
  return all;
}

TEST(AdviceOnCpus, TakesAsManyAsShortenTheStep) {
  const plan::Assembly assembly = four_models();
  const CpuAdvice a = advise_cpus(assembly, {40_us, 30_us, 20_us, 10_us}, {1, 2, 3, 4, 5});
  EXPECT_THAT(longest(a), ElementsAre(100_us, 50_us, 40_us, 40_us)) << "no more than models";
  EXPECT_EQ(a.best, 2U) << "a third worker shortens nothing";
  // The longest first: 40 to the frame thread, 30 and 20 to the workers, 10 to the least of these.
  EXPECT_THAT(a.chosen().placement.cpus, ElementsAre(1, 2));
  EXPECT_EQ(a.chosen().placement.places[0], exec::ModelWorkers::here);
  EXPECT_EQ(a.chosen().placement.places[2], a.chosen().placement.places[3]);
}

TEST(AdviceOnCpus, ATenthIsNotWorthACpu) {
  const plan::Assembly assembly = four_models();
  const CpuAdvice a = advise_cpus(assembly, {100_us, 6_us, 2_us, 1_us}, {1, 2, 3});
  EXPECT_THAT(longest(a), ElementsAre(109_us, 100_us, 100_us, 100_us));
  EXPECT_EQ(a.best, 0U);
}

TEST(AdviceOnCpus, NorAreAFewMicroseconds) {
  const plan::Assembly assembly = four_models();
  const CpuAdvice a = advise_cpus(assembly, {1_us, 1_us, 1_us, 1_us}, {1, 2, 3});
  EXPECT_EQ(longest(a).back(), 1_us);
  EXPECT_EQ(a.best, 0U);
}

TEST(AdviceOnCpus, WithoutAnotherCpuThereIsOneChoice) {
  const plan::Assembly assembly = four_models();
  const CpuAdvice a = advise_cpus(assembly, {40_us, 30_us, 20_us, 10_us}, {});
  EXPECT_THAT(longest(a), ElementsAre(100_us));
  EXPECT_EQ(a.best, 0U);
}

}  // namespace
}  // namespace hild::advise
