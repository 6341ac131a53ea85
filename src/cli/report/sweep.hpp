// SPDX-License-Identifier: Apache-2.0
/// \file
/// What came of several offline runs of one configuration: a table, and the same as JSON.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <vector>

#include "cli/report/text.hpp"

namespace hild::report {

/// One of the runs.
struct SweptRun {
  std::vector<std::string> values;  ///< in the order of Sweep::keys
  std::string folder;               ///< where its report, its output and its recording are
  int exit_code = 0;
  std::string message;        ///< how it ended, in words
  boost::json::value report;  ///< as it was written; null where it came to none
};

struct Sweep {
  std::string config;
  std::vector<std::string> keys;  ///< what differs from run to run
  std::vector<SweptRun> runs;
};

/// A line for each run: its values, how far it came, and the range of its first signal.
[[nodiscard]] std::string sweep_table(const Sweep& sweep, const Style& style);
[[nodiscard]] boost::json::value to_json(const Sweep& sweep);
/// What came of the sequences that steered the runs, each as its report has it; a run that came to
/// none is a step of its own, with an error.
[[nodiscard]] boost::json::array sequences_of(const Sweep& sweep);

}  // namespace hild::report
