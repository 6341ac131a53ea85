// SPDX-License-Identifier: Apache-2.0
/// \file
/// Hands the records of a run to the statistics of its times.
#pragma once

#include "exec/frame_times.hpp"
#include "recording/record/sink.hpp"

namespace hild::record {

class Times final : public Sink {
 public:
  /// `times` outlive it.
  explicit Times(exec::FrameTimes& times) noexcept : times_(&times) {}
  void frame(const io::FrameView& record) override { times_->add(record); }

 private:
  exec::FrameTimes* times_;
};

}  // namespace hild::record
