// SPDX-License-Identifier: Apache-2.0
/// \file
/// A recorded run, step by step: from a frame log, or from memory in tests.
#pragma once

#include <cstddef>

#include "exec/keyframe.hpp"
#include "exec/stimuli.hpp"
#include "exec/transaction.hpp"
#include "hild/io/frame_record.hpp"

namespace hild::replay {

class StepSource : public exec::Tables {
 public:
  StepSource() = default;
  StepSource(const StepSource&) = delete;
  StepSource& operator=(const StepSource&) = delete;
  virtual ~StepSource() = default;

  [[nodiscard]] virtual const io::FrameLayout& layout() const noexcept = 0;
  /// The next record, aligned to 8 bytes and valid until the next call; nullptr at the end.
  [[nodiscard]] virtual const std::byte* next() noexcept = 0;
  /// The next transaction that took effect, in their order; nullptr at the end. It and its tables
  /// live as long as the source. The step it belongs to follows from the records: each tells how
  /// many changes took effect at its start.
  [[nodiscard]] virtual const exec::Transaction* next_accepted() noexcept = 0;

  /// The keyframe it begins at, with records and transactions from there on; null: it begins with
  /// the run.
  [[nodiscard]] virtual const exec::Keyframe* begins_at() const noexcept { return nullptr; }
  /// The keyframe that was made before the step due at `due`, and after the one before it; null:
  /// none. To be asked for each record that next() has given, in their order.
  [[nodiscard]] virtual const exec::Keyframe* keyframe_before(MonoTime /*due*/) noexcept {
    return nullptr;
  }
  [[nodiscard]] const exec::PlaybackTable* find(std::uint64_t /*id*/, std::uint32_t /*change*/,
                                                SimTime /*start*/) noexcept override {
    return nullptr;
  }
};

}  // namespace hild::replay
