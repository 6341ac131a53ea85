// SPDX-License-Identifier: Apache-2.0
/// \file
/// The inputs of a configuration for a reference run: what arrives at the converters, in the
/// model's units, without being sampled, rounded, delayed or disturbed. They are only limited to
/// the converters' ranges.
#pragma once

#include <string>
#include <vector>

#include "config/config.hpp"
#include "offline/reference/inputs.hpp"

namespace hild::commands {

class ConfiguredInputs final : public reference::Inputs {
 public:
  /// Makes the inputs. `given` replaces some of them by constants, as NAME=VALUE. Error: there is
  /// no such input; or there is one whose value is known only in a real run (hardware, a loopback,
  /// a simulated controller) and is not given. `config` outlives the result.
  [[nodiscard]] static Result<ConfiguredInputs> make(const config::Config& config,
                                                     const std::vector<std::string>& given);

  void at(double t, SimTime piece, std::span<double> u) const override;
  [[nodiscard]] SimTime next_break(SimTime t) const override;

  ConfiguredInputs(ConfiguredInputs&& other) noexcept : wires_(std::move(other.wires_)) {}

 private:
  struct Wire {
    const io::Signal* signal = nullptr;  ///< nullptr: `offset` is the value
    double scale = 0;
    double offset = 0;
    io::Interval range{};
    bool digital = false;
  };
  ConfiguredInputs() = default;

  std::vector<Wire> wires_;
};

}  // namespace hild::commands
