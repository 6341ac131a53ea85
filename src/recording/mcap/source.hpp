// SPDX-License-Identifier: Apache-2.0
/// \file
/// The source that an MCAP file is read from.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "hild/core/descriptor.hpp"
#include "hild/core/result.hpp"

namespace hild::mcap {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// The number of bytes when it was opened.
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Fills all of `bytes`, or fails.
  [[nodiscard]] virtual Result<void> read(std::uint64_t offset, std::span<std::byte> bytes) = 0;
};

class FileSource final : public ByteSource {
 public:
  [[nodiscard]] static Result<FileSource> open(const std::string& file);

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  Result<void> read(std::uint64_t offset, std::span<std::byte> bytes) override;

 private:
  FileSource(Descriptor fd, std::uint64_t size, std::string file)
      : fd_(std::move(fd)), size_(size), file_(std::move(file)) {}
  Descriptor fd_;
  std::uint64_t size_;
  std::string file_;
};

}  // namespace hild::mcap
