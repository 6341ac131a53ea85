// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keeps when state events of the model were acted on, of the newest steps that had some. Filled on
/// the recorder's thread, read on any.
#pragma once

#include <deque>
#include <mutex>
#include <vector>

#include "recording/record/sink.hpp"

namespace hild::server {

class EventHistory final : public record::Sink {
 public:
  static constexpr std::size_t kept = 1000;

  /// A step in which there were some.
  struct Step {
    std::int64_t frame = 0;
    SimTime time{};  ///< of its start; its events lie within it
    int events = 0;  ///< how many were acted on
  };

  void frame(const io::FrameView& record) override {
    const io::FrameHeader& h = record.header();
    if (h.state_events == 0) return;  // as nearly none have some: no lock
    const std::scoped_lock lock(mutex_);
    // Of a run that went back, what was after is not its past.
    while (!steps_.empty() && steps_.back().time >= h.t) steps_.pop_back();
    if (steps_.size() == kept) steps_.pop_front();
    steps_.push_back({h.frame, h.t, h.state_events});
  }

  /// The newest `most` of those that started at `since` or later; oldest first.
  [[nodiscard]] std::vector<Step> newest(SimTime since, std::size_t most) const {
    const std::scoped_lock lock(mutex_);
    auto first = steps_.end();
    while (first != steps_.begin() && most-- > 0 && std::prev(first)->time >= since) --first;
    return {first, steps_.end()};
  }

 private:
  mutable std::mutex mutex_;
  std::deque<Step> steps_;
};

}  // namespace hild::server
