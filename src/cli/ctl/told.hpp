// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a daemon tells of the state of its run: its words, as they came.
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
  bool quiet = true;  ///< as it usually is
};
/// Those of a status, a `get`, a `state`; none where the daemon is an older one.
[[nodiscard]] std::vector<Told> told_in(const boost::json::value& reply);
/// The words on one topic; `otherwise` where there are none.
[[nodiscard]] std::string told_of(const boost::json::value& reply, std::string_view of,
                                  std::string_view otherwise);

/// "shaft_speed": what its line carries instead, and why; empty: the same.
[[nodiscard]] std::string difference(const boost::json::value& reply, std::string_view name,
                                     std::string_view unit);

/// Of the params of `ended`: "The run was stopped on request. Exit code 0".
[[nodiscard]] std::string ending_words(const boost::json::value& ending);

}  // namespace hild::ctl
