// SPDX-License-Identifier: Apache-2.0
/// \file
/// A recorded signal from a CSV file: one column of values, and its times from another column or
/// from a rate. Load time only.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "hild/core/result.hpp"
#include "hild/core/time.hpp"

namespace hild::sim {

struct Track {
  std::vector<Duration> time;  ///< strictly increasing
  std::vector<double> value;
};

/// The columns to read. They are named by the header line, or counted from 1; a first line with
/// only numbers is not a header. Times are in seconds.
struct Columns {
  std::string_view value;
  std::string_view time;  ///< empty: rows come at `rate`
  double rate = 0;        ///< Hz
};

/// Reads a file. Blank lines and lines that begin with # are skipped. The error names file and
/// line.
[[nodiscard]] Result<Track> read_csv(const std::filesystem::path& file, const Columns& columns);

}  // namespace hild::sim
