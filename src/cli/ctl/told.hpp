// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads what a daemon says of the state of its run, in the daemon's words.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace hild::ctl {

/// One topic of `told`.
struct Told {
  std::string of;
  std::string words;
  bool quiet = true;  ///< the usual state
};
/// The topics in a status, a `get` or a `state`; none where the daemon is an older one.
[[nodiscard]] std::vector<Told> told_in(const boost::json::value& reply);
/// The words on one topic; `otherwise` where there are none.
[[nodiscard]] std::string told_of(const boost::json::value& reply, std::string_view of,
                                  std::string_view otherwise);

/// What the line of a signal, such as "shaft_speed", carries instead of its value, and why; empty:
/// the same.
[[nodiscard]] std::string difference(const boost::json::value& reply, std::string_view name,
                                     std::string_view unit);

/// How the run ended, from the params of `ended`: "The run was stopped on request. Exit code 0".
[[nodiscard]] std::string ending_words(const boost::json::value& ending);

}  // namespace hild::ctl
