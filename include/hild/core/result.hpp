// SPDX-License-Identifier: Apache-2.0
/// \file
/// Results of work done while loading, outside the frame loop: a value, or words for a person that
/// say where, what was found and what was expected. Never used on the real-time side of a call.
#pragma once

#include <fmt/format.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace hild {

/// Exit codes of every program of the project.
enum class ExitCode : int {
  done = 0,           ///< the run ended as it should
  usage = 1,          ///< wrong arguments or configuration
  fault = 2,          ///< a fault while running (a model's NaN, an internal error)
  overrun_limit = 3,  ///< the overrun limit was reached and the run stopped or froze
  device_failed = 4,  ///< a device failed or vanished
  interlock = 5,      ///< an interlock ended the run
};

struct Error {
  std::string message;
  ExitCode code = ExitCode::usage;
};

template <class T>
using Result = tl::expected<T, Error>;

/// `return fail("cannot open {}: {}", path, reason);`
template <class... Args>
[[nodiscard]] tl::unexpected<Error> fail(fmt::format_string<Args...> text, Args&&... args) {
  return tl::make_unexpected(Error{fmt::format(text, std::forward<Args>(args)...)});
}

template <class... Args>
[[nodiscard]] tl::unexpected<Error> fail(ExitCode code, fmt::format_string<Args...> text,
                                         Args&&... args) {
  return tl::make_unexpected(Error{fmt::format(text, std::forward<Args>(args)...), code});
}

}  // namespace hild
