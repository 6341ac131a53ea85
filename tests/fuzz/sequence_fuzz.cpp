// SPDX-License-Identifier: Apache-2.0
/// \file
/// Any bytes at all are either a test sequence or refused with an error that has words, with the
/// names of a run and without; nothing is thrown, nothing crashes. What is read has a band for each
/// condition, and no more steps than are allowed, with all
/// repetitions.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "control/sequence/parse.hpp"

namespace {

using namespace hild::sequence;

void check(const std::vector<Step>& steps) {
  if (steps.size() > max_taken) std::abort();
  for (const Step& step : steps) {
    if (step.keyword.empty() || step.line < 1) std::abort();
    const Condition* condition = condition_of(step);
    if (condition == nullptr) continue;
    const bool band = !std::isinf(condition->low) || !std::isinf(condition->high);
    if (!band || condition->timeout < condition->hold) std::abort();
    const auto* during = std::get_if<During>(&step.what);
    if (during != nullptr && during->begin >= static_cast<std::size_t>(&step - steps.data())) {
      std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Names names({{Kind::parameter, "inertia", "kg m2"},
                            {Kind::input, "load_torque", "N m"},
                            {Kind::output, "shaft_speed", "rad/s"},
                            {Kind::state, "speed", "rad/s"}});
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::vector<Let> given;
  const auto axes = sweep_of_text(text, "fuzz.yaml", {});
  if (!axes && axes.error().message.empty()) std::abort();
  if (axes) {
    std::size_t runs = 1;
    for (const Axis& axis : *axes) {
      if (axis.values.empty() || !is_variable_name(axis.name)) std::abort();
      runs *= axis.values.size();
      given.push_back({axis.name, axis.values.back()});
    }
    if (runs > max_values) std::abort();
  }
  for (const Names* known : {&names, static_cast<const Names*>(nullptr)}) {
    const auto sequence = parse_text(text, "fuzz.yaml", known, given);
    if (!sequence) {
      if (sequence.error().message.empty()) std::abort();
      continue;
    }
    check(sequence->steps);
    check(sequence->always);
    if (signals_of(*sequence).size() > 2 * max_taken) std::abort();
  }
  return 0;
}
