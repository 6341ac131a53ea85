// SPDX-License-Identifier: Apache-2.0
/// \file
/// The key `unit` of a channel where numbers travel. While loading.
#pragma once

#include "hild/core/name.hpp"
#include "hild/io/options.hpp"

namespace hild {

/// One that hild knows; "1" where it is absent. What is wrong is told by Options::reject().
[[nodiscard]] Name read_channel_unit(io::Options& entry);

}  // namespace hild
