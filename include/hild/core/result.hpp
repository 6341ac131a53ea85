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

/// Why something could not be done, for a person to read.
struct Error {
  std::string message;              ///< where, what was found, what was expected
  ExitCode code = ExitCode::usage;  ///< what a program ends with that ends because of it
};

/// A value, or why there is none: true where it has one, `*result` and `result.error()`.
template <class T>
using Result = tl::expected<T, Error>;

/// An error of ExitCode::usage: `return fail("cannot open {}: {}", path, reason);`
template <class... Args>
[[nodiscard]] tl::unexpected<Error> fail(fmt::format_string<Args...> text, Args&&... args) {
  return tl::make_unexpected(Error{fmt::format(text, std::forward<Args>(args)...)});
}

/// An error of another exit code: `return fail(ExitCode::fault, "cannot start {}", name);`
template <class... Args>
[[nodiscard]] tl::unexpected<Error> fail(ExitCode code, fmt::format_string<Args...> text,
                                         Args&&... args) {
  return tl::make_unexpected(Error{fmt::format(text, std::forward<Args>(args)...), code});
}

}  // namespace hild
