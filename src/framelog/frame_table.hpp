// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where everything is in the record of a frame, as a table that is stored with the records: the
/// record itself is stored as it is in memory. A log of a program with other fields is read by its
/// table; fields it lacks keep their defaults, fields nobody knows are left alone.
#pragma once

#include <string>
#include <vector>

#include "framelog/format.hpp"
#include "hild/core/result.hpp"
#include "hild/io/frame_record.hpp"

namespace hild::framelog {

/// The table of this program's records with that layout, as JSON.
[[nodiscard]] std::string frame_table(const io::FrameLayout& layout, const Signals& signals);

/// Stores records. Passes that did not run and images that were not read become zeros, so that
/// equal runs give equal bytes.
class FrameStore {
 public:
  explicit FrameStore(const io::FrameLayout& layout);
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  void store(const io::FrameView& record, std::byte* place) const noexcept;

 private:
  std::size_t bytes_, first_pass_, pass_stride_, passes_, outputs_;
  std::size_t first_image_, image_stride_, images_;
};

/// Brings stored records into this program's layout.
class FrameDecoder {
 public:
  /// Error: the table is none, or contradicts itself.
  [[nodiscard]] static Result<FrameDecoder> make(std::string_view table);

  [[nodiscard]] const io::FrameLayout& layout() const noexcept { return layout_; }
  [[nodiscard]] const Signals& signals() const noexcept { return signals_; }
  /// The record, valid until the next call; nullptr when these bytes cannot be one.
  [[nodiscard]] const std::byte* decode(std::span<const std::byte> stored);

 private:
  friend class TableReader;
  struct Copy {
    std::size_t from, to;
    std::size_t from_width, to_width;
    std::size_t count;
    bool is_signed;
  };
  /// A number that stands for a name: what it is in this program.
  struct Renumber {
    std::size_t at;
    std::vector<std::uint8_t> to;
  };
  FrameDecoder() = default;
  void copy(const Copy& c, std::span<const std::byte> stored);

  io::FrameLayout layout_;
  Signals signals_;
  std::size_t stored_bytes_ = 0;
  std::vector<Copy> copies_;
  std::vector<Renumber> renumbers_;
  std::vector<std::size_t> bools_;
  std::vector<std::uint64_t> record_;  ///< aligned as a ring's slot
};

}  // namespace hild::framelog
