// SPDX-License-Identifier: Apache-2.0
/// \file
/// The parameters of an FMU: their values, and which of them it has yet to be given. Real-time
/// safe, as far as the FMU is.
#pragma once

#include "foreign/fmi/checked_instance.hpp"

namespace hild::fmi {

class Parameters {
 public:
  /// The layout outlives this.
  explicit Parameters(const Layout& layout);

  [[nodiscard]] double operator[](std::size_t index) const noexcept { return values_[index]; }
  /// Changes a value, which the FMU has after the next set_changed() if it is tunable, else after
  /// the next start.
  void change(std::size_t index, double value) noexcept;
  /// Whether set_changed() has anything to set.
  [[nodiscard]] bool waiting() const noexcept { return waiting_; }

  /// Before its initialisation: sets those that differ from the FMU's own values.
  void set_at_start(CheckedInstance& fmu) noexcept;
  /// Afterwards: sets those that are tunable and changed.
  void set_changed(CheckedInstance& fmu) noexcept;

  void transfer(Archive& archive) noexcept { archive(values_, changed_, waiting_); }

 private:
  [[nodiscard]] bool is_own(std::size_t group) const noexcept;
  void set(std::size_t group, bool due, CheckedInstance& fmu) noexcept;

  const Layout& layout_;
  std::vector<Group> groups_;
  std::vector<double> values_;
  std::vector<unsigned char> changed_;  // for each group
  bool waiting_ = false;
};

}  // namespace hild::fmi
