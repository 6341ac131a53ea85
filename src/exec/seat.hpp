// SPDX-License-Identifier: Apache-2.0
/// \file
/// A plant in the frame loop: its places in the vectors all plants share, and its state events.
#pragma once

#include <algorithm>

#include "exec/frame_loop.hpp"

namespace hild::exec {

struct FrameLoop::Seat final : RecordedInputs {
  Seat(FrameLoop& loop, model::Plant& p, std::size_t inputs, std::size_t outputs,
       std::size_t states)
      : owner(&loop),
        plant(&p),
        first_input(inputs),
        first_state(states),
        inputs_(std::span(loop.u_).subspan(inputs, p.description().inputs.size())),
        outputs_(std::span(loop.y_).subspan(outputs, p.description().outputs.size())),
        events(p, loop.settings_.max_events),
        scratch(loop.u_.size()),
        within(p.description().states.size()),
        error(p.description().states.size()),
        largest(p.description().states.size()),
        cut_short(p.cut_short()),
        parts_before(std::min(p.description().parts.size(), io::most_cappers)) {}

  /// Of several models a bit for each of which this count has grown; noted().
  [[nodiscard]] std::uint32_t cut_by(std::int64_t model::CutShort::*count) const noexcept {
    std::uint32_t by = 0;
    for (std::size_t p = 0; p < parts_before.size(); ++p) {
      const model::CutShort* const now = plant->cut_short_of(p);
      if (now != nullptr && now->*count != parts_before[p].*count) by |= std::uint32_t{1} << p;
    }
    return by;
  }
  void noted() noexcept {
    for (std::size_t p = 0; p < parts_before.size(); ++p) {
      if (const auto* const now = plant->cut_short_of(p); now != nullptr) parts_before[p] = *now;
    }
  }

  void inputs_at(SimTime t, std::span<double> u) noexcept override {
    if (owner->settings_.sampling == Sampling::frame) {
      std::ranges::copy(inputs(), u.begin());
      return;
    }
    const MonoTime nominal = owner->wall(t) - owner->settings_.lag;
    owner->inputs_.at(nominal, owner->late_degree(), scratch);
    plant->reconnect(std::span(scratch).subspan(first_input, u.size()));
    if (owner->steered_) owner->steer_inputs_again(nominal, scratch);
    std::copy_n(scratch.begin() + static_cast<std::ptrdiff_t>(first_input), u.size(), u.begin());
  }
  // Views of the plant's places in the shared vectors, which never move.
  [[nodiscard]] std::span<const double> inputs() const noexcept { return inputs_; }
  [[nodiscard]] std::span<double> outputs() const noexcept { return outputs_; }

  FrameLoop* owner;
  model::Plant* plant;
  std::size_t first_input;
  std::size_t first_state;
  std::span<const double> inputs_;
  std::span<double> outputs_;
  StateEvents events;
  std::vector<double> scratch;
  std::vector<double> within;                 // a state within the step
  std::vector<double> error;                  // of the last step, estimated
  std::vector<double> largest;                // what each state has been at most
  const model::CutShort* cut_short;           // null: it cuts nothing short
  model::CutShort cut_short_before;           // as of the last step
  std::vector<model::CutShort> parts_before;  // of several models, as of the last that was noted
  bool done = false;                          // the step at hand was completed early
};

// Every device call of the loop. A device that fails ends the run.
[[gnu::always_inline]] inline bool FrameLoop::call_devices(std::span<const double> y,
                                                           std::span<double> u,
                                                           MonoTime& sampled) noexcept {
  const bool alive = parts_.sampler.exchange(y, u, sampled);
  meter_.close(io::Phase::device);
  if (alive) return true;
  outcome_.end = End::device_failed;
  outcome_.frame = frame_;
  return false;
}

}  // namespace hild::exec
