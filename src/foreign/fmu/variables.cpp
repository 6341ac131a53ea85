// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmu/variables.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <unordered_map>

#include "foreign/fmu/attributes.hpp"

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

const Named* find(std::span<const Named> list, std::string_view element) {
  const auto found = std::ranges::find(list, element, &Named::element);
  return found == list.end() ? nullptr : &*found;
}

// The words of the standard for the values of both enumerations; structural parameters came with
// 3.0.
constexpr std::string_view causalities[] = {
    "parameter", "calculatedParameter", "input", "output", "independent",
    "local",     "structuralParameter"};
constexpr std::string_view variabilities[] = {"constant", "fixed", "tunable", "discrete",
                                              "continuous"};

template <class Enumeration>
Result<void> read_word(const pugi::xml_node& node, const char* key,
                       std::span<const std::string_view> words, Enumeration& to) {
  const auto attribute = node.attribute(key);
  if (!attribute) return {};
  const auto found = std::ranges::find(words, std::string_view(attribute.as_string()));
  if (found == words.end()) {
    return fail("{}: found `{}`, expected {}", key, attribute.as_string(), fmt::join(words, ", "));
  }
  to = static_cast<Enumeration>(found - words.begin());
  return {};
}

bool is_parameter(const Variable& v) {
  return v.causality == Causality::parameter || v.causality == Causality::calculated ||
         v.causality == Causality::structural;
}

// The default is continuous for real variables and discrete for others; of parameters fixed.
Result<void> read_variability(const pugi::xml_node& node, Variable& v) {
  const bool real = v.type == fmi::Type::float64 || v.type == fmi::Type::float32;
  v.variability = is_parameter(v) ? Variability::fixed
                  : real          ? Variability::continuous
                                  : Variability::discrete;
  if (auto good = read_word(node, "variability", variabilities, v.variability); !good) return good;
  if (is_parameter(v) && v.variability != Variability::fixed &&
      v.variability != Variability::tunable) {
    return fail("variability: found `{}` of a parameter, expected fixed or tunable",
                node.attribute("variability").as_string());
  }
  return {};
}

Result<void> read_limits(const pugi::xml_node& node, Variable& v) {
  for (const auto& [key, to] : {std::pair{"min", &v.low}, std::pair{"max", &v.high}}) {
    if (*to || !node.attribute(key)) continue;
    const auto value = read_number(node.attribute(key).as_string(), v.type);
    if (!value) return fail("{}: {}", key, value.error().message);
    *to = *value;
  }
  return {};
}

// `details` holds type, unit and start: the element itself in 3.0, the one within in 2.0.
Result<void> read_one(const pugi::xml_node& node, const pugi::xml_node& details, int version,
                      Variable& v) {
  const auto ref = read_whole(node, "valueReference");
  if (!ref) return tl::make_unexpected(ref.error());
  v.ref = *ref;
  const auto words = std::span(causalities).first(version == 2 ? 6 : 7);
  if (auto good = read_word(node, "causality", words, v.causality); !good) return good;
  if (auto good = read_variability(node, v); !good) return good;
  v.unit = details.attribute("unit").as_string();
  if (details.attribute("derivative")) {
    const auto of = read_whole(details, "derivative");
    if (!of) return tl::make_unexpected(of.error());
    v.derivative = *of;
  }
  if (!v.numeric) return {};
  auto start = read_numbers(details.attribute("start").as_string(), v.type);
  if (!start) return fail("start: {}", start.error().message);
  v.start = std::move(*start);
  return read_limits(details, v);
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

using ByReference = std::unordered_map<fmi::ValueReference, std::size_t>;

// Sizes are numbers, or structural parameters or constants with a start value (FMI 3.0, 2.4.7.5.1).
Result<void> read_dimensions(const pugi::xml_node& node, const std::vector<Variable>& all,
                             const ByReference& by_reference, const Structure& structure,
                             Variable& v) {
  constexpr std::size_t most = 1'000'000;
  v.dimensions.clear();
  for (const pugi::xml_node& dimension : node.children("Dimension")) {
    const bool by_parameter = static_cast<bool>(dimension.attribute("valueReference"));
    const auto number = read_whole(dimension, by_parameter ? "valueReference" : "start");
    if (!number) return fail("variable `{}`: Dimension: {}", v.name, number.error().message);
    std::size_t size = *number;
    if (by_parameter) {
      const auto place = by_reference.find(*number);
      const Variable* const found = place == by_reference.end() ? nullptr : &all[place->second];
      if (found == nullptr || found->start.size() != 1 || !(found->start[0] >= 0)) {
        return fail("`{}`: its size is value reference {}, which has no start", v.name, *number);
      }
      if (found->causality != Causality::structural &&
          found->variability != Variability::constant) {
        return fail("`{}`: its size is `{}`, expected a structural parameter or a constant", v.name,
                    found->name);
      }
      size = static_cast<std::size_t>(std::min(found->start[0], 1e9));
      v.resized = v.resized || structure.contains(found->name);
    }
    v.dimensions.push_back(size);
    if (size > most || v.size() > most) return fail("`{}` has more than {} elements", v.name, most);
  }
  return {};
}

// One value for each element, or one for all.
Result<void> check_start(const pugi::xml_node& details, const Variable& v) {
  if (!v.numeric || !details.attribute("start") || v.start.size() == v.size()) return {};
  if (v.start.size() == 1) return {};
  return fail("variable `{}`: start: found {} values, expected {}{}", v.name, v.start.size(),
              v.size(), v.size() > 1 ? ", or one for all" : "");
}

// Units and limits may stand in a declared type.
using Types = std::map<std::string_view, std::vector<pugi::xml_node>>;  // by name, in order

Types types_in(const pugi::xml_node& root) {
  Types types;
  for (const pugi::xml_node& type : root.child("TypeDefinitions").children()) {
    types[type.attribute("name").as_string()].push_back(type);
  }
  return types;
}

Result<void> complete(const Types& types, const pugi::xml_node& details, int version, Variable& v) {
  const std::string_view declared = details.attribute("declaredType").as_string();
  const auto found = types.find(declared);
  if (declared.empty() || !v.numeric || found == types.end()) return {};
  for (const pugi::xml_node& type : found->second) {
    const pugi::xml_node inner = version == 2 ? type.first_child() : type;
    if (v.unit.empty()) v.unit = inner.attribute("unit").as_string();
    if (auto good = read_limits(inner, v); !good) {
      return fail("type `{}`: {}", declared, good.error().message);
    }
  }
  return {};
}

Result<Variable> read_variable(const Types& types, const pugi::xml_node& node,
                               const pugi::xml_node& details, const Named& type, int version) {
  Variable v;
  v.name = node.attribute("name").as_string();
  v.type = type.type;
  v.numeric = type.numeric;
  Result<void> good = read_one(node, details, version, v);
  if (good) good = complete(types, details, version, v);
  if (good && v.low && v.high && *v.low > *v.high) {
    good = fail("min: found {}, expected at most max, which is {}", *v.low, *v.high);
  }
  if (!good) return fail("variable `{}`: {}", v.name, good.error().message);
  return v;
}

// Where each of them stands, and in FMI 2 the element within that has its type.
struct Declared {
  std::vector<Variable> all;
  std::vector<pugi::xml_node> nodes;
  std::vector<pugi::xml_node> inner;
};

Result<Declared> read_declared(const pugi::xml_node& root, int version) {
  const Types types = types_in(root);
  Declared declared;
  for (const pugi::xml_node& node : root.child("ModelVariables").children()) {
    pugi::xml_node details = node;
    const Named* type = nullptr;
    if (version == 3) {
      type = find(types3, node.name());
    } else if (std::string_view(node.name()) == "ScalarVariable") {
      for (const pugi::xml_node& one : node.children()) {
        if (const Named* found = find(types2, one.name())) details = one, type = found;
      }
    }
    if (type == nullptr) {
      return fail("variable `{}` is of no known type (<{}>)", node.attribute("name").as_string(),
                  node.name());
    }
    auto v = read_variable(types, node, details, *type, version);
    if (!v) return tl::make_unexpected(v.error());
    declared.all.push_back(std::move(*v));
    declared.nodes.push_back(node);
    declared.inner.push_back(details);
  }
  return declared;
}

}  // namespace

std::size_t Variable::size() const {
  return std::accumulate(dimensions.begin(), dimensions.end(), std::size_t{1}, std::multiplies<>());
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
  auto declared = read_declared(root, version);
  if (!declared) return tl::make_unexpected(declared.error());
  std::vector<Variable>& all = declared->all;
  ByReference by_reference;
  for (std::size_t i = 0; i < all.size(); ++i) by_reference.try_emplace(all[i].ref, i);
  // Start values are as many as the description's own sizes say; then come those asked for.
  Result<void> good;
  const auto size_all = [&] {
    for (std::size_t i = 0; good && version == 3 && i < all.size(); ++i) {
      good = read_dimensions(declared->nodes[i], all, by_reference, structure, all[i]);
    }
  };
  size_all();
  for (std::size_t i = 0; good && i < all.size(); ++i) {
    good = check_start(declared->inner[i], all[i]);
  }
  if (good && !structure.empty()) {
    good = restructure(structure, all);
    size_all();
  }
  if (!good) return tl::make_unexpected(good.error());
  return std::move(all);
}

}  // namespace hild::fmu
