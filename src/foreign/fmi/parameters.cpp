// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmi/parameters.hpp"

#include <algorithm>

namespace hild::fmi {

Parameters::Parameters(const Layout& layout)
    : layout_(layout), groups_(layout.parameters_set), changed_(groups_.size()) {
  for (const auto& p : layout.parameters) values_.push_back(p.value);
}

void Parameters::change(std::size_t index, double value) noexcept {
  values_[index] = value;
  const std::size_t group = layout_.group_of_parameter[index];
  changed_[group] = 1;
  waiting_ = waiting_ || layout_.tunable[group];
}

void Parameters::set_at_start(CheckedInstance& fmu) noexcept {
  for (std::size_t i = 0; i < groups_.size(); ++i) set(i, !is_own(i), fmu);
  waiting_ = false;
}

void Parameters::set_changed(CheckedInstance& fmu) noexcept {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    set(i, changed_[i] != 0 && layout_.tunable[i], fmu);
  }
  waiting_ = false;
}

bool Parameters::is_own(std::size_t group) const noexcept {
  return !layout_.always_set[group] &&
         std::ranges::all_of(groups_[group].places, [this](std::size_t p) {
           return values_[p] == layout_.parameters[p].value;
         });
}

void Parameters::set(std::size_t group, bool due, CheckedInstance& fmu) noexcept {
  changed_[group] = 0;
  if (!due || fmu.failed()) return;
  groups_[group].gather(values_);
  fmu.take(fmu->set(groups_[group]), "set parameters");
}

}  // namespace hild::fmi
