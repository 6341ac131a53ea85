// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where a sparse matrix of as many rows as columns may differ from zero, and which of its columns
/// share no row, so that differences find them in one evaluation (Curtis, Powell and Reid 1974).
///
/// Entries are numbered by columns, and within a column by rows: the order in which compressed
/// columns (CSC) keep values. Rows and columns count from zero. The constructor allocates; all else
/// is real-time safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hild::numerics {

/// One element of a matrix.
struct Place {
  std::size_t row = 0;     ///< of a Jacobian: the state whose derivative depends
  std::size_t column = 0;  ///< the state that it depends on
  /// By columns, then by rows.
  friend constexpr auto operator<=>(const Place& a, const Place& b) noexcept {
    if (const auto c = a.column <=> b.column; c != 0) return c;
    return a.row <=> b.row;
  }
  /// Both alike.
  constexpr bool operator==(const Place&) const noexcept = default;
};

/// A pattern, with a colour for each column: columns of one colour share no row. Never changes.
class Pattern {
 public:
  using Index = std::uint32_t;  ///< a row, a column or an entry

  /// Of no rows.
  Pattern() = default;
  /// Of n rows and columns; the places in any order, repeated or not. One that lies beyond is left
  /// out, and told by outside(). Each column gets the first colour that is free, one by one.
  Pattern(std::size_t n, std::vector<Place> places);

  /// Rows, and columns.
  [[nodiscard]] std::size_t size() const noexcept { return starts_.size() - 1; }
  /// Places that may differ from zero.
  [[nodiscard]] std::size_t entries() const noexcept { return rows_.size(); }
  /// A place that was given but is none of the matrix; none: there was none.
  [[nodiscard]] const std::optional<Place>& outside() const noexcept { return outside_; }
  /// The number of a column's first entry.
  [[nodiscard]] std::size_t first(std::size_t column) const noexcept { return starts_[column]; }
  /// The rows of a column, ascending.
  [[nodiscard]] std::span<const Index> rows(std::size_t column) const noexcept {
    return std::span(rows_).subspan(starts_[column], starts_[column + 1] - starts_[column]);
  }
  /// The entry at (row, column); entries() where there is none. Takes the logarithm of the entries
  /// of the column.
  [[nodiscard]] std::size_t find(std::size_t row, std::size_t column) const noexcept;
  /// Colours, counted from zero.
  [[nodiscard]] std::size_t colours() const noexcept { return groups_.size(); }
  /// The colour of a column.
  [[nodiscard]] std::size_t colour_of(std::size_t column) const noexcept { return colour_[column]; }
  /// The columns of a colour, ascending.
  [[nodiscard]] std::span<const Index> of_colour(std::size_t colour) const noexcept {
    return groups_[colour];
  }
  /// All places, by columns.
  [[nodiscard]] std::vector<Place> places() const;

 private:
  void colour();

  std::vector<Index> starts_{0};  // of each column, and the end
  std::vector<Index> rows_;
  std::vector<Index> colour_;
  std::vector<std::vector<Index>> groups_;  // columns of each colour
  std::optional<Place> outside_;
};

}  // namespace hild::numerics
