// SPDX-License-Identifier: Apache-2.0
/// \file
/// Any bytes at all are a formula, or refused with words. What is a formula gives a value of any
/// numbers, the same one each time, and has a unit or not.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

#include "model/calculated/unit_check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using hild::model::Formula;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto names = Formula::names_in(text);
  if (!names) {
    if (names.error().message.empty()) std::abort();
    return 0;
  }
  const auto formula = Formula::make(text, *names);
  if (!formula) {
    if (formula.error().message.empty()) std::abort();
    return 0;
  }
  for (const double number : {0.0, -1.5, 1e308, std::numeric_limits<double>::quiet_NaN()}) {
    for (double& x : (*formula)->numbers()) x = number;
    const double first = (*formula)->value();
    const double second = (*formula)->value();
    if (first != second && !(std::isnan(first) && std::isnan(second))) std::abort();
  }
  if (names->size() > 8) return 0;
  const std::vector<hild::model::UnitPowers> units(names->size(), {{"m", 1}});
  const auto good = hild::model::check_units(**formula, units, {{"m", 1}});
  if (!good && good.error().message.empty()) std::abort();
  return 0;
}
