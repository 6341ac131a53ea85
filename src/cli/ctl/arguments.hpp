// SPDX-License-Identifier: Apache-2.0
/// \file
/// Converts command-line arguments into the params of a call. All of it throws CallError where that
/// cannot be done.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "control/rpc/parse_json.hpp"

namespace hild::ctl {

/// Reads "1.5" or "500 ms", not negative, as seconds. The error names the option.
[[nodiscard]] double seconds_of(std::string_view option, const std::string& text);

/// A number where the text is one, else the text: the daemon converts "0.02 kg m2".
[[nodiscard]] json::value value_of(const std::string& text);

/// Reads "NAME=VALUE" settings into an object. `example` shows in errors what is expected.
[[nodiscard]] json::object values_of(const std::vector<std::string>& settings,
                                     std::string_view example);

/// Reads "key=value" settings as params: values are JSON where they parse as such, else text, and
/// one dot makes a map: `values.inertia=0.1` is {"values": {"inertia": 0.1}}.
[[nodiscard]] json::object params_of(const std::vector<std::string>& settings);

/// Reads the table of a playback: a file with lines of "TIME,VALUE"; a first line of words, empty
/// lines and lines that start with # are skipped. The error names file and line.
[[nodiscard]] json::object read_table(const std::string& file);

/// The options --at-frame, --at-time and --restart of commands that change a run.
struct When {
  std::int64_t frame = -1;
  std::string time;
  bool restart = false;

  void declare(CLI::App& command, bool may_restart);
  [[nodiscard]] bool later() const { return frame >= 0 || !time.empty(); }
  /// Adds `at` and `restart` to params.
  void put(json::object& params) const;
};

}  // namespace hild::ctl
