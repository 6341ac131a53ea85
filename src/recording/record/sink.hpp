// SPDX-License-Identifier: Apache-2.0
/// \file
/// A receiver of the records of a run. Not real-time.
#pragma once

#include "exec/keyframe.hpp"
#include "hild/io/frame_record.hpp"

namespace hild::record {

class Sink {
 public:
  virtual ~Sink() = default;

  /// Receives the next record, in the order of the run; it is invalid when this returns. A sink
  /// that throws gets no more records.
  virtual void frame(const io::FrameView& record) = 0;
  /// Receives the next keyframe, before the record of the step it belongs to; as above.
  virtual void keyframe(const exec::KeyframeView& /*keyframe*/) {}
  /// Called when there are no more records.
  virtual void flush() {}
};

}  // namespace hild::record
