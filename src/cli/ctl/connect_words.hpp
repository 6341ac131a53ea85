// SPDX-License-Identifier: Apache-2.0
/// \file
/// The messages for when there is no daemon to talk to.
#pragma once

#include <filesystem>
#include <string>

namespace hild::ctl {

/// What is wrong and what to do; `error` is the errno of connecting to `path`.
[[nodiscard]] std::string no_connection(const std::string& path, int error);

/// Where else daemons listen, as the end of a sentence: those run as services have their sockets in
/// `run`, or in a folder of it that only their group may enter. Empty where there is none.
[[nodiscard]] std::string daemons_elsewhere(const std::string& path,
                                            const std::filesystem::path& run = "/run/hild");

}  // namespace hild::ctl
