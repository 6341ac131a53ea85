// SPDX-License-Identifier: Apache-2.0
#include "control/sequence/variables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/near_names.hpp"
#include "config/yaml_options.hpp"
#include "hild/core/units.hpp"

namespace hild::sequence {
namespace {

using config::Node;

constexpr std::string_view expected_axis =
    "values, such as [0.1 Nm, 0.2 Nm] or {from: 0.1 Nm, to: 0.5 Nm, steps: 5}";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A number with its unit under `key`.
NumberAndUnit quantity(config::YamlOptions& range, std::string_view key) {
  const auto parts = split_quantity(range.text(key));
  if (!parts) range.mismatch(key, "a number with its unit", parts.error().message);
  return *parts;
}

std::vector<std::string> read_range(const Node& node, const std::string& path) {
  config::YamlOptions range(node, path);
  const NumberAndUnit from = quantity(range, "from");
  const NumberAndUnit to = quantity(range, "to");
  const auto steps = range.integer("steps", 2, static_cast<std::int64_t>(max_values));
  range.refuse_unknown();
  double last = to.number;
  if (to.unit != from.unit) {
    const auto factor = conversion_factor(to.unit, from.unit);
    if (!factor) range.reject("to", factor.error().message);
    last *= *factor;
  }
  std::vector<std::string> values;
  values.reserve(static_cast<std::size_t>(steps));
  for (std::int64_t n = 0; n < steps; ++n) {
    const double share = static_cast<double>(n) / static_cast<double>(steps - 1);
    // Both ends exactly.
    const double value = n == steps - 1 ? last : from.number + (last - from.number) * share;
    values.push_back(fmt::format("{}{}{}", value, from.unit.empty() ? "" : " ", from.unit));
  }
  return values;
}

std::vector<std::string> read_values(const Node& node, const std::string& path) {
  if (node.kind == Node::Type::map) return read_range(node, path);
  const bool list = node.kind == Node::Type::list && !node.items.empty() &&
                    std::ranges::all_of(
                        node.items, [](const Node& one) { return one.kind == Node::Type::scalar; });
  if (!list) {
    config::refuse(node.place, path,
                   fmt::format("found {}, expected {}", node.found(), expected_axis));
  }
  std::vector<std::string> values;
  values.reserve(node.items.size());
  for (const Node& one : node.items) values.push_back(one.scalar);
  return values;
}

}  // namespace

Result<Let> read_given(std::string_view text) {
  const auto equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  if (equals == std::string_view::npos || !is_variable_name(name) || equals + 1 == text.size()) {
    return fail("--let {}: expected NAME=VALUE, such as load='0.1 Nm'", text);
  }
  return Let{std::string(name), std::string(text.substr(equals + 1))};
}

bool is_variable_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c); });
}

void Variables::add(const config::Position& place, std::string_view path, Let let) {
  if (!is_variable_name(let.name)) {
    config::refuse(place, path,
                   "expected the name of a variable: letters, digits and _, no digit first");
  }
  if (find(let.name) != nullptr) {
    config::refuse(
        place, path,
        fmt::format("there is a variable \"{}\" already, expected another name", let.name));
  }
  all_.push_back(std::move(let));
}

const Let* Variables::find(std::string_view name) const {
  const auto found = std::ranges::find(all_, name, &Let::name);
  return found == all_.end() ? nullptr : &*found;
}

std::vector<std::string_view> Variables::names() const {
  std::vector<std::string_view> names;
  names.reserve(all_.size());
  for (const Let& one : all_) names.push_back(one.name);
  return names;
}

void Variables::substitute(Node& node, const std::string& path) const {
  if (node.kind == Node::Type::scalar && node.scalar.find('$') != std::string::npos) {
    node.scalar = replaced(node, path);
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    substitute(node.items[i], node.kind == Node::Type::map ? config::join(path, node.keys[i])
                                                           : fmt::format("{}[{}]", path, i + 1));
  }
}

std::string Variables::replaced(const Node& scalar, const std::string& path) const {
  const std::string& text = scalar.scalar;
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '$') {
      out += text[i++];
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == '$') {
      out += '$';
      i += 2;
      continue;
    }
    const bool braced = i + 1 < text.size() && text[i + 1] == '{';
    const std::size_t first = i + (braced ? 2 : 1);
    std::size_t last = first;
    while (last < text.size() && (is_letter(text[last]) || is_digit(text[last]))) ++last;
    const std::string_view name = std::string_view(text).substr(first, last - first);
    if (!is_variable_name(name) || (braced && (last == text.size() || text[last] != '}'))) {
      config::refuse(scalar.place, path,
                     fmt::format("found \"{}\", expected a variable behind \"$\", such as $load or "
                                 "${{load}}; a dollar sign is $$",
                                 text));
    }
    const Let* const let = find(name);
    if (let == nullptr) {
      config::refuse(scalar.place, path,
                     fmt::format("found \"${}\", {}", name,
                                 all_.empty() ? "expected a variable; the file has none (`let`)"
                                              : config::suggest(name, names())));
    }
    out += let->value;
    i = last + (braced ? 1 : 0);
  }
  return out;
}

std::vector<Axis> read_axes(const Node& map, const std::string& path, const Variables& known) {
  if (map.kind != Node::Type::map || map.items.empty()) {
    config::refuse(
        map.place, path,
        fmt::format("found {}, expected variables, each with {}", map.found(), expected_axis));
  }
  Variables all = known;
  std::vector<Axis> axes;
  axes.reserve(map.items.size());
  std::size_t total = 1;
  for (std::size_t i = 0; i < map.items.size(); ++i) {
    const std::string own = config::join(path, map.keys[i]);
    all.add(map.items[i].place, own, {map.keys[i], ""});
    Node values = map.items[i];
    known.substitute(values, own);
    axes.push_back({map.keys[i], read_values(values, own)});
    const std::size_t more = axes.back().values.size();
    if (more > max_values || total * more > max_values) {
      config::refuse(map.place, path,
                     fmt::format("found more than {} combinations, expected no more", max_values));
    }
    total *= more;
  }
  return axes;
}

std::vector<std::vector<Let>> combinations(const std::vector<Axis>& axes) {
  std::vector<std::vector<Let>> all(1);
  for (const Axis& axis : axes) {
    std::vector<std::vector<Let>> longer;
    longer.reserve(all.size() * axis.values.size());
    for (const std::vector<Let>& one : all) {
      for (const std::string& value : axis.values) {
        longer.push_back(one);
        longer.back().push_back({axis.name, value});
      }
    }
    all = std::move(longer);
  }
  return all;
}

}  // namespace hild::sequence
