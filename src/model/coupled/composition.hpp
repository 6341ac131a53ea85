// SPDX-License-Identifier: Apache-2.0
/// \file
/// The composition of several models: what they are together, before any of them is made. All
/// signals, parameters and events are named "model.name", in the order of the models. Load time
/// only.
#pragma once

#include <deque>
#include <vector>

#include "hild/core/name.hpp"
#include "hild/numerics/method.hpp"
#include "model/coupled/wiring.hpp"

namespace hild::coupled {

/// The rate of a model: how many steps it takes in a frame, or how many frames a step of it takes.
/// One of the two is 1.
struct Rate {
  int substeps = 1;
  int every = 1;
  bool background = false;  ///< of a step of several frames: on a thread of its own
};

/// One of the models; what its description refers to, and its method, outlive the composition.
struct Part {
  Name name;
  model::Description description;
  const numerics::Method* method = nullptr;
  Rate rate{};
};

/// The indices at which the inputs, outputs and so on of one model begin among those of all.
struct FirstIndices {
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
  [[nodiscard]] const FirstIndices& places(std::size_t part) const noexcept {
    return places_[part];
  }
  /// The part to which one of all inputs, parameters or the like belongs.
  [[nodiscard]] std::size_t part_of(std::size_t FirstIndices::*what,
                                    std::size_t index) const noexcept;
  [[nodiscard]] std::span<const Connection> connections() const noexcept { return connections_; }
  /// The order of evaluation. The models can only be composed if its loop is empty.
  [[nodiscard]] const Ordered& order() const noexcept { return order_; }
  /// The description of all together; its names are views into this object.
  [[nodiscard]] const model::Description& description() const noexcept { return description_; }

  /// The method of the composition: its passes are those of a frame, of all models by their nodes:
  /// those of models with one step a frame, one for each step of faster models, and a first one for
  /// all slower models together. Its starter, if it has one, has the passes of a step in which
  /// every model is starting.
  [[nodiscard]] const numerics::Method& method() const noexcept { return method_; }
  /// The number of passes of the frame that has most of them.
  [[nodiscard]] std::size_t most_passes() const noexcept { return most_passes_; }
  /// The number of frames after which the work repeats, or so many that it hardly matters.
  [[nodiscard]] int cycle() const noexcept { return cycle_; }

 private:
  // What the description refers to.
  struct Tables {
    std::deque<Name> names;
    std::vector<std::string_view> parts;
    std::vector<model::State> states;
    std::vector<model::Input> inputs;
    std::vector<model::Output> outputs;
    std::vector<model::Parameter> parameters;
    std::vector<model::Event> events;
  };

  std::string_view joined(const Name& part, std::string_view name);
  void add(const Part& part);
  void describe();
  std::vector<numerics::Rational> nodes_of(bool starting);
  void find_method();

  std::vector<Part> parts_;
  std::vector<Connection> connections_;
  std::vector<FirstIndices> places_;
  Tables tables_;
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
