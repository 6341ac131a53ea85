// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fields of comma-separated values, by RFC 4180: one with a comma, a quote or the end of a line in
/// it is put in quotes, and a quote in it is written twice. Load time only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hild {

/// A field as it stands in a line.
[[nodiscard]] std::string csv_field(std::string_view text);

/// The fields of one line, in their order; a line has at least one.
using CsvFields = std::vector<std::string>;

/// The fields of a line, without their quotes; blanks around a field are not part of it. A field
/// whose quote is not closed goes to the end of the line.
[[nodiscard]] CsvFields csv_fields(std::string_view line);

/// The lines of a text with their fields, one after the other; empty ones and those that begin with
/// # are passed over. The end of a line ends it in quotes too.
class CsvLines {
 public:
  /// The text outlives it.
  explicit CsvLines(std::string_view text) noexcept : rest_(text) {}

  /// Goes to the next line; false at the end.
  [[nodiscard]] bool next();
  /// Those of the line next() went to; valid until the next call of it.
  [[nodiscard]] const CsvFields& fields() const noexcept { return fields_; }
  /// The line as it is written, without the blanks around it: a part of the text.
  [[nodiscard]] std::string_view line() const noexcept { return line_; }
  /// Of all lines of the text, from 1.
  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  std::string_view rest_;
  std::string_view line_;
  CsvFields fields_;
  int number_ = 0;
};

}  // namespace hild
