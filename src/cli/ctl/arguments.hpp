// SPDX-License-Identifier: Apache-2.0
/// \file
/// Converts command-line arguments into the params of a call.
#pragma once

#include <CLI/CLI.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ctl/client.hpp"

namespace hild::ctl {

/// Reads "1.5" or "500 ms", not negative, as seconds. The error names the option.
[[nodiscard]] Reply<double> seconds_of(std::string_view option, const std::string& text);

/// A number where the text is one, else the text: the daemon converts "0.02 kg m2".
[[nodiscard]] boost::json::value value_of(const std::string& text);

/// Reads "NAME=VALUE" settings into an object. `example` shows in errors what is expected.
[[nodiscard]] Reply<boost::json::object> values_of(const std::vector<std::string>& settings,
                                                   std::string_view example);

/// Reads "key=value" settings as params: values are JSON where they parse as such, else text, and
/// one dot makes a map: `values.inertia=0.1` is {"values": {"inertia": 0.1}}.
[[nodiscard]] Reply<boost::json::object> params_of(const std::vector<std::string>& settings);

/// The options --at-frame, --at-time and --restart of commands that change a run.
struct When {
  std::int64_t frame = -1;
  std::string time;
  bool restart = false;
  [[nodiscard]] bool later() const { return frame >= 0 || !time.empty(); }
};
void add_when_options(CLI::App& command, When& when, bool may_restart);
/// Adds `at` and `restart` to params.
[[nodiscard]] Reply<void> put_when(const When& when, boost::json::object& params);

}  // namespace hild::ctl
