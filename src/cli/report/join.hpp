// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the recordings of several nodes say of one another, in words and as JSON.
#pragma once

#include <boost/json/value.hpp>
#include <string>

#include "cli/report/text.hpp"
#include "recording/join/join.hpp"

namespace hild::report {

/// For a person.
[[nodiscard]] std::string join_text(const join::Joined& joined, std::string_view command,
                                    const Style& style);
/// For programs; complete.
[[nodiscard]] boost::json::value join_json(const join::Joined& joined);

}  // namespace hild::report
