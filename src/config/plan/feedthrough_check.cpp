// SPDX-License-Identifier: Apache-2.0
#include "config/plan/feedthrough_check.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hild::plan {
namespace {

using Values = std::vector<double>;

bool said(const model::Description& d, std::size_t output, std::size_t input) {
  return std::ranges::any_of(*d.feedthrough, [&](const model::Feedthrough& f) {
    return f.output == d.outputs[output].name && f.input == d.inputs[input].name;
  });
}

Values outputs(model::System& system, const Values& x, const Values& u) {
  Values y(system.description().outputs.size());
  system.outputs(0, x, u, y);
  return y;
}

Result<void> check_input(model::System& system, const Values& x, const Values& u, std::size_t i) {
  const model::Description& d = system.description();
  const Values before = outputs(system, x, u);
  for (const double by : {1.0, -3.0}) {
    Values moved = u;
    moved[i] += by * std::max(1.0, std::abs(u[i]));
    const Values after = outputs(system, x, moved);
    for (std::size_t o = 0; o < after.size(); ++o) {
      if (said(d, o, i) || after[o] == before[o] || !std::isfinite(after[o])) continue;
      return fail(
          "model {}: its output {} goes from {:.6g} to {:.6g} at once as its input {} goes "
          "from {:.6g} to {:.6g}; say so in `feedthrough`",
          d.name, d.outputs[o].name, before[o], after[o], d.inputs[i].name, u[i], moved[i]);
    }
  }
  return {};
}

}  // namespace

Result<void> check_feedthrough(model::System& system) {
  const model::Description& d = system.description();
  if (!d.feedthrough) return {};
  Values u;
  for (const auto& input : d.inputs) u.push_back(input.start);
  Values x0(d.states.size());
  system.start(x0);
  // Around the start: what is multiplied by a state is not seen where that is zero.
  for (const double around : {0.0, 0.1, -0.35}) {
    Values x = x0;
    for (double& v : x) v += around * std::max(1.0, std::abs(v));
    for (std::size_t i = 0; i < u.size(); ++i) {
      if (auto checked = check_input(system, x, u, i); !checked) return checked;
    }
  }
  return {};
}

}  // namespace hild::plan
