// SPDX-License-Identifier: Apache-2.0
/// \file
/// Outputs at instants t_n + theta h within a step, computed from the method's dense result (Huang,
/// eq. 16). The result exists once the step's last pass has run: outputs at instants after that
/// pass's release go out at their instants, those at earlier ones a step later, at the same theta.
/// Real-time safe after construction.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "hild/core/archive.hpp"

namespace hild::exec {

class DenseOutputs {
 public:
  /// `thetas` are the instants as parts of a step (0 < theta < 1, ascending), `released` the part
  /// of a step at which its last pass is released, `outputs` the number of outputs.
  DenseOutputs(std::span<const double> thetas, double released, std::size_t outputs)
      : theta_(thetas.begin(), thetas.end()), outputs_(outputs) {
    const auto on_time = std::ranges::upper_bound(theta_, released);
    delayed_ = static_cast<std::size_t>(on_time - theta_.begin());
    for (Bank& bank : banks_) {
      bank.values.resize(theta_.size() * outputs);
      bank.known.resize(theta_.size());
    }
  }

  [[nodiscard]] bool any() const noexcept { return !theta_.empty(); }
  [[nodiscard]] std::size_t count() const noexcept { return theta_.size(); }
  /// How many of them, the first ones, go out one step late.
  [[nodiscard]] std::size_t delayed() const noexcept { return delayed_; }
  [[nodiscard]] double theta(std::size_t i) const noexcept { return theta_[i]; }

  /// Begins a step: none of its outputs is known yet; those of the step before are kept.
  void begin() noexcept {
    std::swap(banks_[0], banks_[1]);
    std::ranges::fill(banks_[0].known, std::uint8_t{0});
    next_ = 0;
  }
  /// Discards all values: the states were set anew, so that they belong to another trajectory.
  void forget() noexcept {
    for (Bank& bank : banks_) std::ranges::fill(bank.known, std::uint8_t{0});
  }
  /// The place for the outputs at theta(i) of the step at hand. know() says whether they were
  /// computed.
  [[nodiscard]] std::span<double> room(std::size_t i) noexcept { return of(banks_[0], i); }
  void know(std::size_t i, bool known) noexcept { banks_[0].known[i] = known ? 1 : 0; }

  /// The index of the next outputs to go out, count() when there are none left; and their values,
  /// empty where they are not known.
  [[nodiscard]] std::size_t next() const noexcept { return next_; }
  [[nodiscard]] std::span<const double> values() noexcept {
    Bank& bank = banks_[next_ < delayed_ ? 1 : 0];
    if (bank.known[next_] == 0) return {};
    return of(bank, next_);
  }
  void pass() noexcept { ++next_; }

  /// Between two steps: those of the step before that may still go out.
  void transfer(Archive& archive) noexcept {
    Bank& bank = banks_[0];
    for (std::size_t i = 0; i < delayed_; ++i) {
      archive.number(bank.known[i], 0, 1, "whether outputs within a step are known");
      if (bank.known[i] != 0 || archive.measures()) archive(of(bank, i));
    }
  }

 private:
  struct Bank {
    std::vector<double> values;
    std::vector<std::uint8_t> known;
  };
  [[nodiscard]] std::span<double> of(Bank& bank, std::size_t i) const noexcept {
    return std::span(bank.values).subspan(i * outputs_, outputs_);
  }

  std::vector<double> theta_;
  std::size_t outputs_;
  std::size_t delayed_ = 0;
  std::size_t next_ = 0;
  std::array<Bank, 2> banks_;  // of the step at hand, and of the step before
};

}  // namespace hild::exec
