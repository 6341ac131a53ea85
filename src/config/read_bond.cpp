// SPDX-License-Identifier: Apache-2.0
/// Bonds: bond: {effort: N m, displacement: rad, stiffness: 2e4 N m/rad}, and one end of such a
/// bond: {..., end: a, delay: 2 ms}.
#include <algorithm>
#include <cctype>

#include "config/sections.hpp"
#include "hild/core/units.hpp"
#include "model/bond/bond.hpp"

namespace hild::config {
namespace {

using model::BondData;
using model::BondEnds;

std::string read_unit(YamlOptions& bond, std::string_view key, std::string_view example) {
  std::string unit(bond.text(key));
  const auto known = unit_conversion(unit, unit);
  if (!known) bond.mismatch(key, fmt::format("a unit, {} say", example), known.error().message);
  return unit;
}

// To divide by it, or to divide it.
std::string in_parentheses(const std::string& unit) {
  const bool simple =
      std::ranges::all_of(unit, [](unsigned char c) { return std::isalpha(c) != 0; });
  return simple ? unit : fmt::format("({})", unit);
}

Name as_name(YamlOptions& bond, std::string_view key, const std::string& unit) {
  if (unit.size() > Name::capacity) {
    bond.mismatch(key, "a shorter unit",
                  fmt::format("of \"{}\" hild keeps {} characters", unit, Name::capacity));
  }
  return Name(unit);
}

void read_units(YamlOptions& bond, BondData& data) {
  const std::string effort = read_unit(bond, "effort", "N m");
  const std::string displacement = read_unit(bond, "displacement", "rad");
  data.effort_unit = as_name(bond, "effort", effort);
  data.flow_unit = as_name(bond, "displacement", in_parentheses(displacement) + "/s");
  data.stiffness_unit =
      as_name(bond, "displacement", in_parentheses(effort) + "/" + in_parentheses(displacement));
  const std::string product = in_parentheses(effort) + " " + in_parentheses(displacement);
  const auto joules = unit_conversion(product, "J");
  data.energy_unit = joules ? Name("J") : as_name(bond, "displacement", product);
  data.energy_factor = joules ? joules->factor : 1;
}

// Both ends meet where the models do: at the frames.
void check_rate(YamlOptions& section, coupled::Rate rate) {
  const char* const key = rate.every > 1 ? "every" : rate.substeps > 1 ? "substeps" : nullptr;
  if (key != nullptr) {
    section.reject(key, "found beside `bond`, which takes a step a frame; leave it out");
  }
}

}  // namespace

Model read_bond(YamlOptions& root, YamlOptions& section, coupled::Rate rate) {
  check_rate(section, rate);
  YamlOptions& bond = section.section("bond");
  BondData data;
  read_units(bond, data);
  data.stiffness = bond.number("stiffness", data.stiffness_unit.view());
  if (!(data.stiffness > 0)) bond.mismatch("stiffness", "more than 0");
  const BondEnds ends = bond.choice("end", {"both", "a", "b"}, BondEnds::both);
  data.ends = ends;
  data.frame = 1 / read_grid(root.section("frame")).rate_hz();
  data.delay = 2 * data.frame;
  if (bond.has("delay")) {
    data.delay = seconds(bond.duration("delay"));
    if (!(data.delay > 0)) bond.mismatch("delay", "a time above 0");
  }
  if (ends == BondEnds::both && bond.has("delay")) {
    bond.reject("delay",
                "found for a bond with both its ends here, whose delay is a frame; leave "
                "it out");
  }
  const auto made = model::make_bond(data);
  Model read;
  read.description = model::description_of(*made);
  read.type = read.description.name;
  read.advances = false;
  read.sampled = ends != BondEnds::both;
  read.make_system = [made] { return model::make_system(made); };
  read.make = [made](const numerics::Method& method) { return model::make_stepper(made, method); };
  return read;
}

}  // namespace hild::config
