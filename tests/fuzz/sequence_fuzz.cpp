// SPDX-License-Identifier: Apache-2.0
/// \file
/// Any bytes at all are either a test sequence or refused with an error that has words, with the
/// names of a run and without; nothing is thrown, nothing crashes. What is read has a band for each
/// condition, and no more steps than are allowed.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "control/sequence/parse.hpp"

namespace {

using namespace hild::sequence;

void check(const std::vector<Step>& steps) {
  if (steps.size() > max_steps) std::abort();
  for (const Step& step : steps) {
    if (step.keyword.empty() || step.line < 1) std::abort();
    const auto* condition = std::get_if<Condition>(&step.what);
    if (condition == nullptr) continue;
    const bool band = !std::isinf(condition->low) || !std::isinf(condition->high);
    if (!band || condition->timeout < condition->hold) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Names names({{Kind::parameter, "inertia", "kg m2"},
                            {Kind::input, "load_torque", "N m"},
                            {Kind::output, "shaft_speed", "rad/s"},
                            {Kind::state, "speed", "rad/s"}});
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const Names* known : {&names, static_cast<const Names*>(nullptr)}) {
    const auto sequence = parse_text(text, "fuzz.yaml", known);
    if (!sequence) {
      if (sequence.error().message.empty()) std::abort();
      continue;
    }
    check(sequence->steps);
    check(sequence->always);
    if (signals_of(*sequence).size() > 2 * max_steps) std::abort();
  }
  return 0;
}
