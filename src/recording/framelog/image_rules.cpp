// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/image_rules.hpp"

#include <algorithm>

namespace hild::framelog {

InputPrediction::InputPrediction(const ImageRules& rules, const io::FrameLayout& layout)
    : rule_(rules.rule),
      plain_(layout.inputs()),
      u_(rules.inputs.size()),
      nominal_(layout.passes()),
      known_nominal_(layout.passes()) {
  if (plain_ == 0 || rules.inputs.size() != layout.sampled() || layout.images() == 0) return;
  history_.emplace(rules.inputs, layout.groups(), rule_.spacing);
}

void InputPrediction::begin_anew() noexcept {
  if (history_) history_->clear();
  std::fill(known_nominal_.begin(), known_nominal_.end(), false);
  known_ = false;
}

bool InputPrediction::follows(const io::FrameHeader& h) const noexcept {
  return known_ && h.step == next_step_ && h.due > due_;
}

void InputPrediction::begin(const io::FrameHeader& h) noexcept {
  due_ = h.due;
  next_step_ = h.step + (h.frozen ? 0 : 1);
}

void InputPrediction::image(std::span<const MonoTime> instants,
                            std::span<const double> u) noexcept {
  std::ranges::copy(instants, history_->instants().begin());
  std::ranges::copy(u, history_->incoming().begin());
  history_->accept();
}

std::span<const double> InputPrediction::at(MonoTime nominal) noexcept {
  history_->at(nominal, rule_.at(nominal, due_), u_);
  return std::span(u_).first(plain_);
}

}  // namespace hild::framelog
