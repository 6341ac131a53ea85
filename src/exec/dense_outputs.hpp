// SPDX-License-Identifier: Apache-2.0
/// \file
/// Outputs within a step by the method's dense result (Huang, eq. 16), each at t_n + theta h. A
/// result is there when the step's last pass is: what belongs to instants after its release goes
/// out at them, what belongs to earlier ones a step later, at the same theta. Real-time safe after
/// construction.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace hild::exec {

class DenseOutputs {
 public:
  /// Of parts theta of a step (0 < theta < 1, ascending); the last pass of a step is released at
  /// the part `released` of it.
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
  /// How many of them, the first ones, go out a step later than they belong.
  [[nodiscard]] std::size_t delayed() const noexcept { return delayed_; }
  [[nodiscard]] double theta(std::size_t i) const noexcept { return theta_[i]; }

  /// A step begins: nothing of it is known.
  void begin() noexcept {
    std::swap(banks_[0], banks_[1]);
    std::ranges::fill(banks_[0].known, std::uint8_t{0});
    next_ = 0;
  }
  /// What is known belongs to another course of the states.
  void forget() noexcept {
    for (Bank& bank : banks_) std::ranges::fill(bank.known, std::uint8_t{0});
  }
  /// Room for the outputs at theta(i) in the step at hand; and whether they are there.
  [[nodiscard]] std::span<double> room(std::size_t i) noexcept { return of(banks_[0], i); }
  void know(std::size_t i, bool known) noexcept { banks_[0].known[i] = known ? 1 : 0; }

  /// The next to go out, count() when there is none, and its values; empty where none are known.
  [[nodiscard]] std::size_t next() const noexcept { return next_; }
  [[nodiscard]] std::span<const double> values() noexcept {
    Bank& bank = banks_[next_ < delayed_ ? 1 : 0];
    if (bank.known[next_] == 0) return {};
    return of(bank, next_);
  }
  void pass() noexcept { ++next_; }

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
  std::array<Bank, 2> banks_;  // of the step at hand, and of that before
};

}  // namespace hild::exec
