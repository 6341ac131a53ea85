// SPDX-License-Identifier: Apache-2.0
/// \file
/// The content of modelDescription.xml of FMI 2.0 and 3.0, read and checked, but not interpreted
/// beyond the text.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "foreign/fmi/instance.hpp"
#include "hild/core/result.hpp"

namespace hild::fmu {

enum class Causality { parameter, calculated, input, output, independent, local, structural };
enum class Variability { constant, fixed, tunable, discrete, continuous };

struct Variable {
  std::string name;
  fmi::ValueReference ref = 0;
  fmi::Type type = fmi::Type::float64;
  bool numeric = true;  ///< neither a string nor binary nor a clock
  Causality causality = Causality::local;
  Variability variability = Variability::continuous;
  std::string unit;
  std::vector<double> start;
  std::optional<double> low, high;
  std::vector<std::size_t> dimensions;  ///< none: a scalar
  bool resized = false;  ///< its size depends on a structural parameter that was given a value
  /// The variable it is the derivative of: 2.0 counts variables from 1, 3.0 gives the value
  /// reference.
  std::optional<std::uint32_t> derivative;

  [[nodiscard]] std::size_t size() const;
  /// The name of element i: "x", or of an array "x[2,3]", counted from 1, rows first.
  [[nodiscard]] std::string element(std::size_t i) const;
};

enum class Kind { model_exchange, co_simulation };

/// The properties of an interface (model exchange, co-simulation).
struct Interface {
  std::string identifier;
  bool needs_execution_tool = false;
  bool once_per_process = false;
  bool needs_completed_step = true;
  bool directional_derivatives = false;
  bool saves_state = false;     ///< gives its state as bytes, and takes it back
  bool variable_steps = false;  ///< of co-simulation: takes steps of any length, one by one
  /// The step of a solver with fixed steps, in seconds; 0: not given (only 3.0 gives it).
  double fixed_step = 0;
};

struct ModelDescription {
  int version = 2;
  std::string name;
  std::string summary;
  std::string token;  ///< guid of 2.0, instantiationToken of 3.0
  std::optional<Interface> model_exchange;
  std::optional<Interface> co_simulation;
  std::size_t indicators = 0;
  std::vector<Variable> variables;
  std::vector<std::size_t> structure;    ///< structural parameters that were given a value
  std::vector<std::size_t> derivatives;  ///< variables that are derivatives of the states
  std::vector<std::size_t> states;       ///< the states that those are derivatives of
  /// For each derivative, the places of the states it depends on; none where it is not given.
  std::vector<std::optional<std::vector<std::size_t>>> depends_on;
  /// For outputs, by place, the inputs they depend on directly; absent where it is not given.
  std::map<std::size_t, std::vector<std::size_t>> outputs_depend_on;
  std::map<std::string, std::string> units;  ///< units in base units, where the factor is 1
};

/// Values for structural parameters, by name, of those that are to differ from their defaults.
using Structure = std::map<std::string, std::uint64_t>;

/// Reads a description, with arrays of the sizes that `structure` makes them. The error says what
/// is missing, inconsistent or not supported.
[[nodiscard]] Result<ModelDescription> parse(std::string_view xml, const Structure& structure = {});

}  // namespace hild::fmu
