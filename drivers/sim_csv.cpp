// SPDX-License-Identifier: Apache-2.0
#include "drivers/sim_csv.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "hild/core/csv.hpp"
#include "hild/core/whole_file.hpp"

namespace hild::sim {
namespace {

constexpr double longest_s = 1e9;  // nanoseconds of it, and sums of them, keep within 64 bits

using Fields = CsvFields;

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

/// Reads line after line into a track.
class Reader {
 public:
  Reader(const std::filesystem::path& file, const Columns& columns)
      : file_(file), columns_(columns) {}

  Result<void> line(const Fields& fields, int number) {
    number_ = number;
    if (first_) {
      first_ = false;
      const auto header = settle_columns(fields);
      if (!header) return tl::make_unexpected(header.error());
      if (*header) return {};
    }
    return row(fields);
  }

  Result<Track> finish() {
    if (track_.value.empty()) return fail("{}: no rows of numbers", file_.c_str());
    return std::move(track_);
  }

 private:
  /// Finds the columns by the first line; true when that line is a header.
  Result<bool> settle_columns(const Fields& fields) {
    const auto value = settle(columns_.value, fields);
    if (!value) return tl::make_unexpected(value.error());
    value_ = value->index;
    bool named = value->named;
    if (!columns_.time.empty()) {
      const auto time = settle(columns_.time, fields);
      if (!time) return tl::make_unexpected(time.error());
      time_ = time->index;
      named = named || time->named;
    }
    // Columns that are counted may still have a header above them.
    return named || !parse<double>(fields[value_]);
  }

  struct Column {
    std::size_t index;
    bool named;  ///< by the line, which is a header then
  };
  Result<Column> settle(std::string_view column, const Fields& fields) const {
    // Numbers alone are values: one of them may look like the number of another column.
    const bool values =
        std::ranges::all_of(fields, [](auto field) { return parse<double>(field).has_value(); });
    const auto named = std::ranges::find(fields, column);
    if (!values && named != fields.end()) {
      return Column{static_cast<std::size_t>(named - fields.begin()), true};
    }
    const auto counted = parse<std::size_t>(column);
    if (counted && *counted >= 1 && *counted <= fields.size()) return Column{*counted - 1, false};
    return fail("{}:{}: no column '{}'; there are {}: {}", file_.c_str(), number_, column,
                fields.size(), fmt::join(fields, ", "));
  }

  Result<void> row(const Fields& fields) {
    const auto value = cell(fields, value_);
    if (!value) return tl::make_unexpected(value.error());
    const auto time = columns_.time.empty()
                          ? Result<double>(static_cast<double>(track_.time.size()) / columns_.rate)
                          : cell(fields, time_);
    if (!time) return tl::make_unexpected(time.error());
    if (std::abs(*time) > longest_s) {
      return fail("{}:{}: expected a time within {} s, found {}", file_.c_str(), number_, longest_s,
                  *time);
    }
    const Duration t = from_seconds(*time);
    if (!track_.time.empty() && t <= track_.time.back()) {
      return fail("{}:{}: time must increase, found {} after {}", file_.c_str(), number_, *time,
                  seconds(track_.time.back()));
    }
    track_.time.push_back(t);
    track_.value.push_back(*value);
    return {};
  }

  Result<double> cell(const Fields& fields, std::size_t column) const {
    if (column >= fields.size()) {
      return fail("{}:{}: expected at least {} columns, found {}", file_.c_str(), number_,
                  column + 1, fields.size());
    }
    const auto number = parse<double>(fields[column]);
    if (!number || !std::isfinite(*number)) {
      return fail("{}:{}: expected a number in column {}, found '{}'", file_.c_str(), number_,
                  column + 1, fields[column]);
    }
    return *number;
  }

  const std::filesystem::path& file_;
  const Columns& columns_;
  Track track_;
  std::size_t value_ = 0;
  std::size_t time_ = 0;
  int number_ = 0;
  bool first_ = true;
};

}  // namespace

Result<Track> read_csv(const std::filesystem::path& file, const Columns& columns) {
  const auto text = whole_file(file);
  if (!text) return fail("cannot read {}: {}", file.c_str(), std::strerror(errno));
  Reader reader(file, columns);
  for (CsvLines lines(*text); lines.next();) {
    if (auto read = reader.line(lines.fields(), lines.number()); !read) {
      return tl::make_unexpected(read.error());
    }
  }
  return reader.finish();
}

}  // namespace hild::sim
