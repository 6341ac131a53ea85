// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keeps some output signals over the whole run in constant memory: a point covers several records,
/// and twice as many each time the points are used up.
#pragma once

#include <vector>

#include "recording/record/sink.hpp"

namespace hild::record {

struct TracePoint {
  SimTime first{};  ///< time of the first outputs covered
  SimTime last{};
  std::int64_t records = 0;
  double min = 0;
  double max = 0;
  double sum = 0;
  double latest = 0;

  [[nodiscard]] double mean() const noexcept { return sum / static_cast<double>(records); }
  /// Adds the point that follows this one; either may be empty.
  void merge(const TracePoint& after) noexcept;
};

class Trace final : public Sink {
 public:
  /// `outputs` are indices into the outputs of the records; `capacity` is even, at least 2.
  explicit Trace(std::vector<std::size_t> outputs, std::size_t capacity = 1200);

  void frame(const io::FrameView& record) override;

  [[nodiscard]] const std::vector<std::size_t>& outputs() const noexcept { return outputs_; }
  /// The points of the signal outputs()[signal], in the order of time; the last may cover fewer
  /// records than the others. To be read when the recorder has stopped.
  [[nodiscard]] std::vector<TracePoint> points(std::size_t signal) const;
  /// The number of records a point covers.
  [[nodiscard]] std::int64_t stride() const noexcept { return stride_; }

 private:
  struct Signal {
    TracePoint open;  // being filled
    std::vector<TracePoint> full;
  };
  void close_points();

  std::vector<std::size_t> outputs_;
  std::size_t capacity_;
  std::int64_t stride_ = 1;
  std::int64_t filled_ = 0;  // records in the open points
  std::vector<Signal> signals_;
};

}  // namespace hild::record
