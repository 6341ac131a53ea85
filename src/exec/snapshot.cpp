// SPDX-License-Identifier: Apache-2.0
#include "exec/snapshot.hpp"

#include <algorithm>
#include <bit>

namespace hild::exec {

namespace {

// A small whole number, exact in a double.
double packed(const Mode& m) noexcept {
  const unsigned bits = (m.frozen ? 1U : 0U) | (m.limited ? 2U : 0U) | (m.stepping ? 4U : 0U) |
                        (m.moving ? 8U : 0U) | (static_cast<unsigned>(m.outputs) << 4U);
  return static_cast<double>(bits);
}

Mode unpacked(double value) noexcept {
  const auto bits = static_cast<unsigned>(value);
  return {.frozen = (bits & 1U) != 0,
          .limited = (bits & 2U) != 0,
          .stepping = (bits & 4U) != 0,
          .moving = (bits & 8U) != 0,
          .outputs = static_cast<FrozenOutputs>(bits >> 4U)};
}

}  // namespace

Snapshot::Snapshot(std::size_t inputs, std::size_t outputs, std::size_t states,
                   std::size_t parameters)
    : inputs_(inputs),
      outputs_(outputs),
      states_(states),
      parameters_(parameters),
      staged_(head + 2 * inputs + 3 * outputs + states + parameters),
      buffer_(staged_.size()) {}

void Snapshot::begin(std::int64_t frame, SimTime time, const Mode& mode) noexcept {
  staged_[0] = std::bit_cast<double>(frame);
  staged_[1] = std::bit_cast<double>(time.ns);
  staged_[2] = packed(mode);
  at_ = head;
}

void Snapshot::add(std::span<const double> values) noexcept {
  std::ranges::copy(values, staged_.begin() + static_cast<std::ptrdiff_t>(at_));
  at_ += values.size();
}

Image Snapshot::image() const {
  Image image;
  image.inputs.resize(inputs_);
  image.outputs.resize(outputs_);
  image.sampled.resize(inputs_);
  image.own.resize(outputs_);
  image.lines.resize(outputs_);
  image.states.resize(states_);
  image.parameters.resize(parameters_);
  return image;
}

bool Snapshot::read(Image& image, std::vector<double>& scratch) const {
  scratch.resize(staged_.size());
  if (buffer_.writes() == 0 || !buffer_.read(scratch)) return false;
  image.frame = std::bit_cast<std::int64_t>(scratch[0]);
  image.time.ns = std::bit_cast<std::int64_t>(scratch[1]);
  image.mode = unpacked(scratch[2]);
  image.frozen = image.mode.frozen;
  auto from = scratch.cbegin() + head;
  for (auto* part : {&image.inputs, &image.outputs, &image.sampled, &image.own, &image.lines,
                     &image.states, &image.parameters}) {
    std::copy_n(from, part->size(), part->begin());
    from += static_cast<std::ptrdiff_t>(part->size());
  }
  return true;
}

SavedStates::SavedStates(std::size_t slots, std::size_t states, std::size_t parameters)
    : states_(states), staged_(states + parameters), filled_(slots) {
  for (std::size_t i = 0; i < slots; ++i) {
    slots_.push_back(std::make_unique<rt::SeqlockBuffer>(staged_.size()));
  }
}

void SavedStates::transfer(Archive& archive) noexcept {
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    archive.number(filled_[slot], 0, 1, "whether a slot is filled");
    if (filled_[slot] == 0 && !archive.measures()) continue;
    if (!archive.loads()) load(slot);
    archive(staged_);
    if (archive.loads()) save(slot);
  }
}

bool SavedStates::read(std::size_t slot, std::vector<double>& values) const {
  if (slot >= slots_.size() || slots_[slot]->writes() == 0) return false;
  values.resize(staged_.size());
  return slots_[slot]->read(values);
}

}  // namespace hild::exec
