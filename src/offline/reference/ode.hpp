// SPDX-License-Identifier: Apache-2.0
/// \file
/// The interface of a system to be integrated: y' = f(t, y), with names for messages.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace hild::reference {

class Ode {
 public:
  Ode() = default;
  Ode(const Ode&) = delete;
  Ode& operator=(const Ode&) = delete;
  virtual ~Ode() = default;

  [[nodiscard]] virtual std::size_t size() const = 0;
  /// Evaluates f. Within a step of the formula it may be called for any time and in any order.
  virtual void derivatives(double t, std::span<const double> y, std::span<double> dy) = 0;
  [[nodiscard]] virtual std::string state_name(std::size_t i) const { return std::to_string(i); }
};

}  // namespace hild::reference
