// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <set>

#include "foreign/plugin/load.hpp"
#include "hild/core/name.hpp"
#include "hild/core/units.hpp"
#include "hild/model/check_structure.hpp"

namespace hild::plugin {
namespace {

template <class List>
Result<void> check_names(std::string_view kind, const List& list) {
  std::set<std::string_view> seen;
  for (const auto& one : list) {
    if (one.name.empty()) return fail("{} {} has no name", kind, seen.size());
    if (one.name.size() > Name::capacity) {
      return fail("{} `{}`: a name has at most {} characters", kind, one.name, Name::capacity);
    }
    if (!seen.insert(one.name).second) return fail("{} `{}` is there twice", kind, one.name);
  }
  return {};
}

template <class List>
Result<void> check_units(std::string_view kind, const List& list) {
  if (auto good = check_names(kind, list); !good) return good;
  for (const auto& one : list) {
    if (auto known = conversion_factor(one.unit, one.unit); !known) {
      return fail("{} `{}`: {}", kind, one.name, known.error().message);
    }
  }
  return {};
}

template <class List>
std::set<std::string_view> names_of(const List& list) {
  std::set<std::string_view> names;
  for (const auto& one : list) names.insert(one.name);
  return names;
}

Result<void> check_feedthrough(const model::Description& d) {
  if (!d.feedthrough) return {};
  const auto outputs = names_of(d.outputs);
  const auto inputs = names_of(d.inputs);
  for (const auto& [output, input] : *d.feedthrough) {
    if (!outputs.contains(output)) return fail("feedthrough: `{}` is none of its outputs", output);
    if (!inputs.contains(input)) return fail("feedthrough: `{}` is none of its inputs", input);
  }
  return {};
}

Result<void> check_values(const model::Description& d) {
  for (const auto& s : d.states) {
    if (!std::isfinite(s.start)) return fail("state `{}` starts at {}", s.name, s.start);
    if (!(s.low <= s.start && s.start <= s.high && s.low < s.high)) {
      return fail("state `{}` starts at {}, beyond what is plausible of it, {} ... {}", s.name,
                  s.start, s.low, s.high);
    }
    if (!(s.nominal > 0) || !std::isfinite(s.nominal)) {
      return fail("state `{}` has the usual size {}, expected one above 0", s.name, s.nominal);
    }
  }
  for (const auto& z : d.algebraic) {
    if (!std::isfinite(z.start))
      return fail("algebraic variable `{}` starts at {}", z.name, z.start);
    if (!(z.nominal > 0) || !std::isfinite(z.nominal)) {
      return fail("algebraic variable `{}` has the usual size {}, expected one above 0", z.name,
                  z.nominal);
    }
  }
  for (const auto& u : d.inputs) {
    if (!std::isfinite(u.start)) return fail("input `{}` starts at {}", u.name, u.start);
  }
  for (const auto& p : d.parameters) {
    if (!(p.low <= p.value && p.value <= p.high)) {
      return fail("parameter `{}` is {}, beyond its limits {} ... {}", p.name, p.value, p.low,
                  p.high);
    }
  }
  return {};
}

}  // namespace

Result<void> check_description(const model::Description& d) {
  Result<void> good;
  const auto go_on = [&](Result<void> next) {
    if (good) good = std::move(next);
  };
  if (d.name.empty()) return fail("its model has no name");
  go_on(check_units("state", d.states));
  go_on(check_units("input", d.inputs));
  go_on(check_units("output", d.outputs));
  go_on(check_units("parameter", d.parameters));
  go_on(check_units("algebraic variable", d.algebraic));
  go_on(check_names("event", d.events));
  go_on(check_values(d));
  go_on(model::check_structure(d));
  go_on(check_feedthrough(d));
  if (!d.partitions.empty()) go_on(model::check_partitions(d));
  if (!good) return fail("model {}: {}", d.name, good.error().message);
  return {};
}

}  // namespace hild::plugin
