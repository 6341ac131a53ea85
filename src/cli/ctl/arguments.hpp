// SPDX-License-Identifier: Apache-2.0
/// \file
/// Arguments into the params of a call.
#pragma once

#include <CLI/CLI.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ctl/client.hpp"

namespace hild::ctl {

/// "1.5" or "500 ms", not negative, in seconds. The error names the option.
[[nodiscard]] Reply<double> seconds_of(std::string_view option, const std::string& text);

/// A number where it is one, else the text: the daemon converts "0.02 kg m2".
[[nodiscard]] boost::json::value value_of(const std::string& text);

/// "NAME=VALUE"s by name. `example` tells what is expected.
[[nodiscard]] Reply<boost::json::object> values_of(const std::vector<std::string>& settings,
                                                   std::string_view example);

/// "key=value"s as params: values are JSON where they are, else text, and one dot makes a map:
/// `values.inertia=0.1` is {"values": {"inertia": 0.1}}.
[[nodiscard]] Reply<boost::json::object> params_of(const std::vector<std::string>& settings);

/// --at-frame and --at-time, --restart: of what changes a run.
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
