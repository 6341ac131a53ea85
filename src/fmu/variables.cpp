// SPDX-License-Identifier: Apache-2.0
#include "fmu/variables.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace hild::fmu {
namespace {

struct Named {
  std::string_view element;
  fmi::Type type;
  bool numeric = true;
};

// Elements of 2.0 (within ScalarVariable) and of 3.0.
constexpr Named types2[] = {{"Real", fmi::Type::float64},
                            {"Integer", fmi::Type::int32},
                            {"Enumeration", fmi::Type::int32},
                            {"Boolean", fmi::Type::boolean},
                            {"String", fmi::Type::int32, false}};
constexpr Named types3[] = {
    {"Float64", fmi::Type::float64},     {"Float32", fmi::Type::float32},
    {"Int8", fmi::Type::int8},           {"UInt8", fmi::Type::uint8},
    {"Int16", fmi::Type::int16},         {"UInt16", fmi::Type::uint16},
    {"Int32", fmi::Type::int32},         {"UInt32", fmi::Type::uint32},
    {"Int64", fmi::Type::int64},         {"UInt64", fmi::Type::uint64},
    {"Enumeration", fmi::Type::int64},   {"Boolean", fmi::Type::boolean},
    {"String", fmi::Type::int32, false}, {"Binary", fmi::Type::int32, false},
    {"Clock", fmi::Type::int32, false}};

template <class List>
const Named* find(const List& list, std::string_view element) {
  const auto* found = std::ranges::find(list, element, &Named::element);
  return found == std::end(list) ? nullptr : found;
}

Causality causality_of(std::string_view word) {
  if (word == "parameter") return Causality::parameter;
  if (word == "calculatedParameter") return Causality::calculated;
  if (word == "input") return Causality::input;
  if (word == "output") return Causality::output;
  if (word == "independent") return Causality::independent;
  if (word == "structuralParameter") return Causality::structural;
  return Causality::local;
}

// The default is continuous for real variables and discrete for others; of parameters fixed.
Variability variability_of(std::string_view word, const Variable& v) {
  if (word == "constant") return Variability::constant;
  if (word == "fixed") return Variability::fixed;
  if (word == "tunable") return Variability::tunable;
  if (word == "discrete") return Variability::discrete;
  if (word == "continuous") return Variability::continuous;
  if (v.causality == Causality::parameter || v.causality == Causality::structural) {
    return Variability::fixed;
  }
  const bool real = v.type == fmi::Type::float64 || v.type == fmi::Type::float32;
  return real ? Variability::continuous : Variability::discrete;
}

Result<double> number(std::string_view text) {
  if (text == "true") return 1.0;
  if (text == "false") return 0.0;
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), value);
  if (error != std::errc{} || end != text.end()) return fail("`{}` is no number", text);
  return value;
}

// Numbers with white space between.
Result<std::vector<double>> numbers(std::string_view text) {
  std::vector<double> out;
  constexpr std::string_view space = " \t\r\n";
  for (auto at = text.find_first_not_of(space); at != text.npos;
       at = text.find_first_not_of(space, at)) {
    const auto end = std::min(text.size(), text.find_first_of(space, at));
    const auto value = number(text.substr(at, end - at));
    if (!value) return tl::make_unexpected(value.error());
    out.push_back(*value);
    at = end;
  }
  return out;
}

// `details` holds type, unit and start: the element itself in 3.0, the one within in 2.0.
Result<Variable> read_one(const pugi::xml_node& node, const pugi::xml_node& details,
                          const Named& type) {
  Variable v;
  v.name = node.attribute("name").as_string();
  v.ref = node.attribute("valueReference").as_uint();
  v.type = type.type;
  v.numeric = type.numeric;
  v.causality = causality_of(node.attribute("causality").as_string());
  v.variability = variability_of(node.attribute("variability").as_string(), v);
  v.unit = details.attribute("unit").as_string();
  if (const auto derivative = details.attribute("derivative")) {
    v.derivative = derivative.as_uint();
  }
  if (!v.numeric) return v;
  auto start = numbers(details.attribute("start").as_string());
  if (!start) return fail("`{}`: start: {}", v.name, start.error().message);
  v.start = std::move(*start);
  for (const auto& [key, to] : {std::pair{"min", &v.low}, std::pair{"max", &v.high}}) {
    if (!details.attribute(key)) continue;
    const auto value = number(details.attribute(key).as_string());
    if (!value) return fail("`{}`: {}: {}", v.name, key, value.error().message);
    *to = *value;
  }
  return v;
}

// Values that the configuration gives take the place of the starts.
Result<void> restructure(const Structure& structure, std::vector<Variable>& all) {
  std::vector<std::string_view> there;
  for (const Variable& v : all) {
    if (v.causality == Causality::structural) there.push_back(v.name);
  }
  for (const auto& [name, value] : structure) {
    const auto found = std::ranges::find(all, name, &Variable::name);
    if (found == all.end() || found->causality != Causality::structural) {
      return fail("structure: `{}` is no structural parameter; there {}", name,
                  there.empty() ? "are none" : fmt::format("is {}", fmt::join(there, ", ")));
    }
    const auto size = static_cast<double>(value);
    if (size < found->low.value_or(0) || size > found->high.value_or(size)) {
      return fail("structure: `{}`: found {}, expected {} ... {}", name, value,
                  found->low.value_or(0),
                  found->high ? fmt::format("{}", *found->high) : std::string("any number"));
    }
    found->start = {size};
  }
  return {};
}

// Sizes are numbers, or structural parameters with a start value.
Result<void> read_dimensions(const pugi::xml_node& node, const std::vector<Variable>& all,
                             const Structure& structure, Variable& v) {
  constexpr std::size_t most = 1'000'000;
  for (const pugi::xml_node& dimension : node.children("Dimension")) {
    unsigned long long size = dimension.attribute("start").as_ullong();
    if (const auto by = dimension.attribute("valueReference")) {
      const auto found = std::ranges::find(all, by.as_uint(), &Variable::ref);
      if (found == all.end() || found->start.size() != 1 || !(found->start[0] >= 0)) {
        return fail("`{}`: its size is value reference {}, which has no start", v.name,
                    by.as_uint());
      }
      size = static_cast<unsigned long long>(std::min(found->start[0], 1e9));
      v.resized = v.resized || structure.contains(found->name);
    }
    v.dimensions.push_back(size);
    if (size > most || v.size() > most) return fail("`{}` has more than {} elements", v.name, most);
  }
  return {};
}

// Units and limits may stand in a declared type.
void complete(const pugi::xml_node& root, const pugi::xml_node& details, int version, Variable& v) {
  const std::string_view declared = details.attribute("declaredType").as_string();
  if (declared.empty()) return;
  for (const pugi::xml_node& type : root.child("TypeDefinitions").children()) {
    if (type.attribute("name").as_string() != declared) continue;
    const pugi::xml_node inner = version == 2 ? type.first_child() : type;
    if (v.unit.empty()) v.unit = inner.attribute("unit").as_string();
    for (const auto& [key, to] : {std::pair{"min", &v.low}, std::pair{"max", &v.high}}) {
      if (*to || !inner.attribute(key)) continue;
      if (const auto value = number(inner.attribute(key).as_string())) *to = *value;
    }
  }
}

}  // namespace

std::size_t Variable::size() const {
  std::size_t n = 1;
  for (const std::size_t d : dimensions) n *= d;
  return n;
}

std::string Variable::element(std::size_t i) const {
  if (dimensions.empty()) return name;
  std::string text;
  for (std::size_t d = dimensions.size(); d-- > 0;) {
    text = fmt::format("{}{}{}", i % dimensions[d] + 1, text.empty() ? "" : ",", text);
    i /= dimensions[d];
  }
  return fmt::format("{}[{}]", name, text);
}

Result<std::vector<Variable>> read_variables(const pugi::xml_node& root, int version,
                                             const Structure& structure) {
  std::vector<Variable> all;
  std::vector<pugi::xml_node> nodes;
  for (const pugi::xml_node& node : root.child("ModelVariables").children()) {
    pugi::xml_node details = node;
    const Named* type = nullptr;
    if (version == 3) {
      type = find(types3, node.name());
    } else if (std::string_view(node.name()) == "ScalarVariable") {
      for (const pugi::xml_node& inner : node.children()) {
        if (const Named* one = find(types2, inner.name())) details = inner, type = one;
      }
    }
    if (type == nullptr) {
      return fail("variable `{}` is of no known type (<{}>)", node.attribute("name").as_string(),
                  node.name());
    }
    auto v = read_one(node, details, *type);
    if (!v) return tl::make_unexpected(v.error());
    complete(root, details, version, *v);
    all.push_back(std::move(*v));
    nodes.push_back(node);
  }
  if (auto good = restructure(structure, all); !good) return tl::make_unexpected(good.error());
  for (std::size_t i = 0; version == 3 && i < all.size(); ++i) {
    if (auto good = read_dimensions(nodes[i], all, structure, all[i]); !good) {
      return tl::make_unexpected(good.error());
    }
  }
  return all;
}

}  // namespace hild::fmu
