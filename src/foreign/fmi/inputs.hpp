// SPDX-License-Identifier: Apache-2.0
/// \file
/// The inputs of an FMU for model exchange as it has them, so that it is given what is new to it
/// alone. Those that are discrete are given in event mode. Real-time safe, as far as the FMU is.
#pragma once

#include <limits>

#include "foreign/fmi/checked_instance.hpp"

namespace hild::fmi {

class Inputs {
 public:
  using In = std::span<const double>;

  explicit Inputs(const Layout& layout)
      : continuous_(layout.continuous_inputs),
        discrete_(layout.discrete_inputs),
        held_(layout.inputs.size()) {
    for (const Group& g : continuous_) {
      for (const std::size_t place : g.places) given_.push_back({place});
    }
  }

  /// All of them, as they are at the start.
  void start(const Layout& layout, CheckedInstance& fmu) noexcept {
    for (std::size_t i = 0; i < held_.size(); ++i) held_[i] = layout.inputs[i].start;
    fmu.set(continuous_, held_);
    fmu.set(discrete_, held_);
  }
  /// What it has is no longer certain: the next continuous inputs are new to it, whatever they are.
  void forget() noexcept {
    for (Given& input : given_) input.value = unknown;
  }
  /// Gives it the continuous ones if one of them is new. Returns whether all went well.
  [[gnu::always_inline]] bool give(In u, CheckedInstance& fmu) noexcept {
    return !moved(u) || give_moved(u, fmu);
  }
  void give_discrete(In u, CheckedInstance& fmu) noexcept {
    fmu.set(discrete_, u);
    for (const Group& g : discrete_) {
      for (const std::size_t p : g.places) held_[p] = u[p];
    }
  }
  [[nodiscard]] bool discrete_changed(In u) const noexcept {
    for (const Group& g : discrete_) {
      for (const std::size_t p : g.places) {
        if (u[p] != held_[p]) return true;
      }
    }
    return false;
  }
  /// Those that the FMU has.
  [[nodiscard]] In held() const noexcept { return held_; }

  void transfer(Archive& archive) noexcept {
    archive(held_);
    for (Given& input : given_) archive(input.value);
  }

 private:
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();  // equals nothing

  // Mostly they have not, in the passes of a step.
  [[nodiscard, gnu::always_inline]] bool moved(In u) const noexcept {
    for (const Given& input : given_) {
      if (u[input.place] != input.value) [[unlikely]] {
        return true;
      }
    }
    return false;
  }
  bool give_moved(In u, CheckedInstance& fmu) noexcept {
    Given* given = given_.data();
    for (Group& g : continuous_) {
      double* value = g.values.data();
      for (const std::size_t p : g.places) *value++ = held_[p] = (given++)->value = u[p];
      if (!fmu.take(fmu->set(g), "set inputs")) return false;
    }
    return true;
  }

  struct Given {
    std::size_t place = 0;
    double value = unknown;
  };

  std::vector<Group> continuous_;
  std::vector<Given> given_;  // the inputs in all of those groups, as the FMU has them
  std::vector<Group> discrete_;
  std::vector<double> held_;
};

}  // namespace hild::fmi
