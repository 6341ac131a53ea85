// SPDX-License-Identifier: Apache-2.0
#include "exec/snapshot.hpp"

#include <algorithm>
#include <bit>

namespace hild::exec {

Snapshot::Snapshot(std::size_t inputs, std::size_t outputs, std::size_t states,
                   std::size_t parameters)
    : inputs_(inputs),
      outputs_(outputs),
      states_(states),
      parameters_(parameters),
      staged_(head + inputs + outputs + states + parameters),
      buffer_(staged_.size()) {}

void Snapshot::begin(std::int64_t frame, SimTime time, bool frozen) noexcept {
  staged_[0] = std::bit_cast<double>(frame);
  staged_[1] = std::bit_cast<double>(time.ns);
  staged_[2] = frozen ? 1 : 0;
  at_ = head;
}

void Snapshot::add(std::span<const double> values) noexcept {
  for (const double v : values) add(v);
}

Image Snapshot::image() const {
  Image image;
  image.inputs.resize(inputs_);
  image.outputs.resize(outputs_);
  image.states.resize(states_);
  image.parameters.resize(parameters_);
  return image;
}

bool Snapshot::read(Image& image, std::vector<double>& scratch) const {
  scratch.resize(staged_.size());
  if (buffer_.writes() == 0 || !buffer_.read(scratch)) return false;
  image.frame = std::bit_cast<std::int64_t>(scratch[0]);
  image.time.ns = std::bit_cast<std::int64_t>(scratch[1]);
  image.frozen = scratch[2] != 0;
  auto from = scratch.cbegin() + head;
  for (auto* part : {&image.inputs, &image.outputs, &image.states, &image.parameters}) {
    std::copy_n(from, part->size(), part->begin());
    from += static_cast<std::ptrdiff_t>(part->size());
  }
  return true;
}

SavedStates::SavedStates(std::size_t slots, std::size_t states, std::size_t parameters)
    : states_(states), staged_(states + parameters) {
  for (std::size_t i = 0; i < slots; ++i) {
    slots_.push_back(std::make_unique<rt::SeqlockBuffer>(staged_.size()));
  }
}

bool SavedStates::read(std::size_t slot, std::vector<double>& values) const {
  if (slot >= slots_.size() || slots_[slot]->writes() == 0) return false;
  values.resize(staged_.size());
  return slots_[slot]->read(values);
}

}  // namespace hild::exec
