// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads what a daemon sends: members of a reply, what it tells of the state of its run, samples.
/// Any of it may be missing, since a daemon of another version must not make hildctl fail.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "control/rpc/parse_json.hpp"

namespace hild::ctl {

/// A member; null when there is none, or when `of` is not an object.
[[nodiscard]] const json::value* member(const json::value& of, std::string_view key);
/// A number; NaN where it is not one, for which JSON has null.
[[nodiscard]] double number_of(const json::value& value);
[[nodiscard]] double number_of(const json::value& of, std::string_view key);
[[nodiscard]] std::int64_t whole_of(const json::value& of, std::string_view key);
[[nodiscard]] bool flag_of(const json::value& of, std::string_view key, bool otherwise = false);
[[nodiscard]] std::string text_of(const json::value& of, std::string_view key);
/// An array or an object; an empty one when there is none.
[[nodiscard]] const json::array& list_of(const json::value& of, std::string_view key);
[[nodiscard]] const json::object& map_of(const json::value& of, std::string_view key);

/// The value with six digits, and the unit unless it is "1" or empty; "-" for NaN.
[[nodiscard]] std::string quantity_text(double value, std::string_view unit = {});

// ---- the state of the run, in the daemon's words -----------------------------------------------

/// One topic of `told`.
struct Told {
  std::string of;
  std::string words;
  bool quiet = true;  ///< the usual state
};
/// The topics in a status, a `get` or a `state`; none where the daemon is an older one.
[[nodiscard]] std::vector<Told> told_in(const json::value& reply);
/// The words on one topic; `otherwise` where there are none.
[[nodiscard]] std::string told_of(const json::value& reply, std::string_view of,
                                  std::string_view otherwise);

/// What the line of a signal, such as "shaft_speed", carries instead of its value, and why; empty:
/// the same.
[[nodiscard]] std::string difference(const json::value& reply, std::string_view name,
                                     std::string_view unit);

/// How the run ended, from the params of `ended`: "The run was stopped on request. Exit code 0".
[[nodiscard]] std::string ending_words(const json::value& ending);

// ---- samples -----------------------------------------------------------------------------------

struct SampleRows {
  std::vector<std::int64_t> frames;
  std::vector<double> times_s;
  /// A row for each time, of `columns` values; null is NaN.
  std::vector<std::vector<double>> values;
  std::int64_t lost = 0;
};

/// The rows in the params of `samples`. Throws CallError where rows and times do not match, as may
/// be with another version.
[[nodiscard]] SampleRows sample_rows(const json::value& params, std::size_t columns);

}  // namespace hild::ctl
