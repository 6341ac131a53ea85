// SPDX-License-Identifier: Apache-2.0
/// \file
/// What to do when there is no daemon to talk to.
#pragma once

#include <filesystem>
#include <string>

namespace hild::ctl {

/// `error`: the errno of connecting to `path`.
[[nodiscard]] std::string no_connection(const std::string& path, int error);

/// Where else daemons are, beside `path`, as the end of a sentence: those of services have their
/// sockets in `run`, or in a folder of it that only their group may enter. Empty where there is
/// none.
[[nodiscard]] std::string daemons_elsewhere(const std::string& path,
                                            const std::filesystem::path& run = "/run/hild");

}  // namespace hild::ctl
