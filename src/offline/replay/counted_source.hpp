// SPDX-License-Identifier: Apache-2.0
/// \file
/// A file that is read from several threads, and how much of it was.
#pragma once

#include <mutex>
#include <utility>

#include "recording/mcap/file.hpp"

namespace hild::replay {

class CountedSource final : public mcap::ByteSource {
 public:
  explicit CountedSource(mcap::FileSource file) : file_(std::move(file)) {}

  [[nodiscard]] std::uint64_t size() const override { return file_.size(); }
  Result<void> read(std::uint64_t offset, std::span<std::byte> bytes) override {
    {
      const std::lock_guard lock(mutex_);
      bytes_ += bytes.size();
    }
    return file_.read(offset, bytes);
  }
  /// So far, those that were read twice counted twice. From any thread.
  [[nodiscard]] std::uint64_t bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }

 private:
  mcap::FileSource file_;
  mutable std::mutex mutex_;  // guards what follows
  std::uint64_t bytes_ = 0;
};

}  // namespace hild::replay
