// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmi/checked_instance.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace hild::fmi {

CheckedInstance::CheckedInstance(const Layout& layout, std::unique_ptr<Instance> instance)
    : instance_(std::move(instance)), functions_(instance_->functions()) {
  if (!layout.states.empty()) return;
  // An FMU without states may lack what is called for them.
  functions_.set_states = [](void*, const double*, std::size_t) { return Status::ok; };
  functions_.get_derivatives = [](void*, double*, std::size_t) { return Status::ok; };
}

void CheckedInstance::reset() noexcept {
  failure_ = nullptr;
  if (std::exchange(started_, true)) take(instance_->reset(), "reset");
}

bool CheckedInstance::initialise() noexcept {
  return !failed() && take(instance_->enter_initialization(0), "enter initialization mode") &&
         take(instance_->exit_initialization(), "exit initialization mode");
}

void CheckedInstance::set(std::vector<Group>& groups, In from) noexcept {
  for (Group& g : groups) {
    if (failed()) return;
    g.gather(from);
    take(instance_->set(g), "set inputs");
  }
}

void CheckedInstance::read(std::vector<Group>& groups, Out y) noexcept {
  for (Group& g : groups) {
    if (failed() || !take(instance_->get(g), "get outputs")) break;
    const double* value = g.values.data();
    for (const std::size_t place : g.places) y[place] = *value++;
  }
  if (failed()) std::ranges::fill(y, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace hild::fmi
