// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sees the first system call of a stretch of code, by the kernel's system call user dispatch
/// (Linux 5.11, x86-64): the call raises SIGSYS, is noted, and then made as it would have been.
#pragma once

#include <string>

namespace hild::examine {

/// Of the thread that makes it; one at a time.
class SystemCalls {
 public:
  SystemCalls();
  SystemCalls(const SystemCalls&) = delete;
  SystemCalls& operator=(const SystemCalls&) = delete;
  ~SystemCalls();

  /// Whether this machine offers it.
  [[nodiscard]] bool observed() const { return observed_; }
  /// From here on.
  void watch();
  /// Up to here: the number of the first system call, or -1.
  [[nodiscard]] long stop();

 private:
  bool observed_ = false;
};

/// "write", "futex", "system call 999".
[[nodiscard]] std::string system_call_name(long number);

}  // namespace hild::examine
