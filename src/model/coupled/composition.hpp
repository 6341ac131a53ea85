// SPDX-License-Identifier: Apache-2.0
/// \file
/// Several models as one: what they are together, before any of them is made. Signals,
/// parameters and events of all are named "model.name", in the order of the models. Load time only.
#pragma once

#include <deque>
#include <vector>

#include "hild/core/name.hpp"
#include "hild/numerics/method.hpp"
#include "model/coupled/wiring.hpp"

namespace hild::coupled {

/// How many steps a model takes in a frame, or how many frames a step of it takes. One is 1.
struct Rate {
  int substeps = 1;
  int every = 1;
};

/// One of the models; what the description and the method view outlives the composition.
struct Part {
  Name name;
  model::Description description;
  const numerics::Method* method = nullptr;
  Rate rate{};
};

/// Where the things of one model begin among those of all.
struct Places {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t states = 0;
  std::size_t parameters = 0;
  std::size_t events = 0;
};

class Composition {
 public:
  static constexpr int most_cycle = 1000;

  /// Precondition: every "part.signal" fits a Name.
  Composition(std::vector<Part> parts, std::vector<Connection> connections);
  Composition(const Composition&) = delete;
  Composition& operator=(const Composition&) = delete;

  [[nodiscard]] std::span<const Part> parts() const noexcept { return parts_; }
  [[nodiscard]] const Places& places(std::size_t part) const noexcept { return places_[part]; }
  /// The part that has this one of all inputs, parameters or the like.
  [[nodiscard]] std::size_t part_of(std::size_t Places::*what, std::size_t index) const noexcept;
  [[nodiscard]] std::span<const Connection> connections() const noexcept { return connections_; }
  /// Its loop is empty, or they cannot be one.
  [[nodiscard]] const Ordered& order() const noexcept { return order_; }
  /// Names are views of this.
  [[nodiscard]] const model::Description& description() const noexcept { return description_; }

  /// The passes of a frame, of all models by their nodes: those of models with a step a frame, one
  /// for each step of faster ones, and one first for the slower ones together. Its starter, where
  /// there is one, has those of a step in which every model is starting.
  [[nodiscard]] const numerics::Method& method() const noexcept { return method_; }
  /// Passes of the frame that has most of them.
  [[nodiscard]] std::size_t most_passes() const noexcept { return most_passes_; }
  /// Frames after which the work repeats, or so many that it hardly matters.
  [[nodiscard]] int cycle() const noexcept { return cycle_; }

 private:
  std::string_view joined(const Name& part, std::string_view name);
  void add(const Part& part);
  void describe();
  std::vector<numerics::Rational> nodes_of(bool starting);
  void find_method();

  std::vector<Part> parts_;
  std::vector<Connection> connections_;
  std::vector<Places> places_;
  std::deque<Name> names_;
  std::vector<model::State> states_;
  std::vector<model::Input> inputs_;
  std::vector<model::Output> outputs_;
  std::vector<model::Parameter> parameters_;
  std::vector<model::Event> events_;
  std::vector<std::string_view> part_names_;
  model::Description description_;
  Ordered order_;
  std::vector<numerics::Rational> nodes_;
  std::vector<numerics::Rational> starter_nodes_;
  numerics::Method method_;
  numerics::Method starter_;
  std::size_t most_passes_ = 0;
  int cycle_ = 1;
};

}  // namespace hild::coupled
