// SPDX-License-Identifier: Apache-2.0
/// \file
/// The only exception thrown in the server: a request that cannot be served. The dispatcher answers
/// it.
#pragma once

#include <fmt/format.h>

#include "control/rpc/message.hpp"

namespace hild::server {

struct Refused {
  rpc::Error error;
};

/// Throws Refused with a formatted message: `refuse(Code::invalid_params, "found {}", x);`
template <class... Args>
[[noreturn]] void refuse(rpc::Code code, fmt::format_string<Args...> text, Args&&... args) {
  throw Refused{{code, fmt::format(text, std::forward<Args>(args)...), {}}};
}

}  // namespace hild::server
