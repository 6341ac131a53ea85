// SPDX-License-Identifier: Apache-2.0
#include "recording/record/trace.hpp"

#include <algorithm>
#include <utility>

namespace hild::record {
namespace {

void merge_pairs(std::vector<TracePoint>& points) {
  for (std::size_t i = 0; i < points.size() / 2; ++i) {
    points[2 * i].merge(points[2 * i + 1]);
    points[i] = points[2 * i];
  }
  points.resize(points.size() / 2);
}

}  // namespace

void TracePoint::merge(const TracePoint& after) noexcept {
  if (after.records == 0) return;
  if (records == 0) {
    *this = after;
    return;
  }
  last = after.last;
  records += after.records;
  min = std::min(min, after.min);
  max = std::max(max, after.max);
  sum += after.sum;
  latest = after.latest;
}

Trace::Trace(std::vector<std::size_t> outputs, std::size_t capacity)
    : outputs_(std::move(outputs)), capacity_(capacity), signals_(outputs_.size()) {
  for (Signal& signal : signals_) signal.full.reserve(capacity_);
}

void Trace::frame(const io::FrameView& record) {
  const io::FrameHeader& h = record.header();
  const SimTime t = h.t + (h.deadline - h.due);  // the outputs belong to the end of the step
  for (std::size_t s = 0; s < signals_.size(); ++s) {
    const double y = record.outputs()[outputs_[s]];
    signals_[s].open.merge(
        {.first = t, .last = t, .records = 1, .min = y, .max = y, .sum = y, .latest = y});
  }
  if (++filled_ == stride_) close_points();
}

void Trace::close_points() {
  filled_ = 0;
  bool used_up = false;
  for (Signal& signal : signals_) {
    signal.full.push_back(std::exchange(signal.open, {}));
    used_up = signal.full.size() == capacity_;
    if (used_up) merge_pairs(signal.full);
  }
  if (used_up) stride_ *= 2;
}

std::vector<TracePoint> Trace::points(std::size_t signal) const {
  std::vector<TracePoint> all = signals_[signal].full;
  if (signals_[signal].open.records > 0) all.push_back(signals_[signal].open);
  return all;
}

}  // namespace hild::record
