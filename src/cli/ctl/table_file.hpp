// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads the table of a playback from a file.
#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "cli/ctl/client.hpp"

namespace hild::ctl {

/// Reads lines of "TIME,VALUE"; a first line of words, empty lines and lines that start with # are
/// skipped. The error names file and line.
[[nodiscard]] Reply<boost::json::object> read_table(const std::string& file);

}  // namespace hild::ctl
