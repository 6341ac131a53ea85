// SPDX-License-Identifier: Apache-2.0
/// \file
/// An MCAP file as bytes: read anywhere, or only ever added to at its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "hild/core/descriptor.hpp"
#include "hild/core/result.hpp"

namespace hild::mcap {

/// The source that a file is read from.
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

/// What has become of the output, as another program may have moved or harmed it.
struct Whereabouts {
  std::string moved_to{};  ///< its new name if it was renamed; empty: it has the name it was given
  /// How many bytes of it are left, counted from its beginning. Less than was added once another
  /// program deleted it or cut it short. That cannot be undone, and adding more is of no use.
  std::uint64_t left = UINT64_MAX;
  std::string harm{};  ///< what happened to the rest
};

/// The destination of a file that is written.
class Output {
 public:
  virtual ~Output() = default;

  /// Appends the parts, all of them or nothing: after an error the end is where it was.
  [[nodiscard]] virtual Result<void> append(std::span<const std::string_view> parts) = 0;
  /// Returns when all that was added would survive a power cut. Another thread may append
  /// meanwhile.
  [[nodiscard]] virtual Result<void> sync() = 0;

  /// Finds out what other programs have done to the output. Another thread may sync meanwhile.
  [[nodiscard]] virtual Whereabouts whereabouts() { return {}; }
};

class FileOutput final : public Output {
 public:
  enum class Existing { refuse, replace };
  /// Error: the file cannot be made, or is there already and is to be kept.
  [[nodiscard]] static Result<FileOutput> create(const std::string& file, Existing existing);

  Result<void> append(std::span<const std::string_view> parts) override;
  Result<void> sync() override;
  Whereabouts whereabouts() override;

 private:
  FileOutput(Descriptor fd, std::string file) : fd_(std::move(fd)), file_(std::move(file)) {}

  Descriptor fd_;
  std::string file_;
  std::uint64_t end_ = 0;
  bool torn_ = false;  ///< what a failed call left behind could not be cut off
};

}  // namespace hild::mcap
