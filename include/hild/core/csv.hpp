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

using CsvFields = std::vector<std::string>;

/// The fields of a line, without their quotes; blanks around a field are not part of it. A field
/// whose quote is not closed goes to the end of the line.
[[nodiscard]] CsvFields csv_fields(std::string_view line);

}  // namespace hild
