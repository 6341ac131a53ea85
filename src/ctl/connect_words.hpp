// SPDX-License-Identifier: Apache-2.0
/// \file
/// What to do when there is no daemon to talk to.
#pragma once

#include <string>

namespace hild::ctl {

/// `error`: the errno of connecting to `path`.
[[nodiscard]] std::string no_connection(const std::string& path, int error);

}  // namespace hild::ctl
