// SPDX-License-Identifier: Apache-2.0
/// \file
/// The one exception of this room: a request that cannot be served. The dispatcher answers it.
#pragma once

#include <fmt/format.h>

#include "control/rpc/error.hpp"

namespace hild::server {

struct Refused {
  rpc::Error error;
};

/// `refuse(Code::invalid_params, "found {}", x);`
template <class... Args>
[[noreturn]] void refuse(rpc::Code code, fmt::format_string<Args...> text, Args&&... args) {
  throw Refused{{code, fmt::format(text, std::forward<Args>(args)...), {}}};
}

}  // namespace hild::server
