// SPDX-License-Identifier: Apache-2.0
/// \file
/// A message that a device has heard, as a line.
#pragma once

#include <string>

#include "hild/core/time.hpp"
#include "hild/io/listener.hpp"

namespace hild::report {

/// For a person: when it came, by what, its name, then its values, or its bytes where it has none,
/// and behind a `#` what is wrong with it. `-` stands for what there is not.
[[nodiscard]] std::string heard_text(const io::Heard& heard, Duration since_start);
/// For a program: one object.
[[nodiscard]] std::string heard_json(const io::Heard& heard, Duration since_start);

}  // namespace hild::report
