// SPDX-License-Identifier: Apache-2.0
#include "exec/snapshot.hpp"

#include <algorithm>

#include "hild/core/copy_values.hpp"
#include "hild/io/frame_record.hpp"

namespace hild::exec {

namespace {

std::int64_t packed(const Mode& m) noexcept {
  return (m.frozen ? 1 : 0) | (m.limited ? 2 : 0) | (m.stepping ? 4 : 0) |
         (static_cast<std::int64_t>(m.outputs) << 3);
}

Image empty_image(const model::Description& d) {
  Image image;
  for (auto* part : {&image.inputs, &image.sampled}) part->resize(d.inputs.size());
  for (auto* part : {&image.outputs, &image.own, &image.lines}) part->resize(d.outputs.size());
  image.states.resize(d.states.size());
  image.parameters.resize(d.parameters.size());
  return image;
}

}  // namespace

Snapshot::Snapshot(const model::Description& description, bool offered)
    : offered_(offered), buffer_({.image = offered ? empty_image(description) : Image{}}) {}

Mode Snapshot::mode() const noexcept {
  const auto bits = static_cast<unsigned>(mode_.get());
  return {.frozen = (bits & 1U) != 0,
          .limited = (bits & 2U) != 0,
          .stepping = (bits & 4U) != 0,
          .outputs = static_cast<FrozenOutputs>(bits >> 3U)};
}

void Snapshot::tell(const Mode& mode) noexcept { mode_.set(packed(mode)); }

Image& Snapshot::begin(std::span<const double> states, std::int64_t version) noexcept {
  Kept& kept = buffer_.back();
  states_ = states;
  states_left_ = states.size();
  version_ = version;
  parameters_left_ = kept.version == version ? 0 : kept.image.parameters.size();
  kept.version = -1;
  begun_.add(open_ ? 0 : 1);
  open_ = true;
  return kept.image;
}

void Snapshot::take(std::size_t most, const model::System& system) noexcept {
  Kept& kept = buffer_.back();
  std::vector<double>& parameters = kept.image.parameters;
  for (; most > 0 && parameters_left_ > 0; --most, --parameters_left_) {
    const std::size_t at = parameters.size() - parameters_left_;
    parameters[at] = system.parameter(at);
  }
  const std::size_t n = std::min(most, states_left_);
  const std::size_t at = states_.size() - states_left_;
  copy_values(states_.subspan(at, n), kept.image.states.data() + at);
  states_left_ -= n;
  if (parameters_left_ + states_left_ > 0) return;
  kept.version = version_;
  open_ = false;
  buffer_.publish();
  published_.add();
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
