// SPDX-License-Identifier: Apache-2.0
/// \file
/// Detects the first system call of a section of code, by the kernel's system call user dispatch
/// (Linux 5.11, x86-64): the call raises SIGSYS, is noted, and then made as it would have been.
#pragma once

#include <string>

namespace hild::examine {

/// Watches the thread that constructs it; only one object at a time.
class SystemCalls {
 public:
  SystemCalls();
  SystemCalls(const SystemCalls&) = delete;
  SystemCalls& operator=(const SystemCalls&) = delete;
  ~SystemCalls();

  /// Whether this machine supports it.
  [[nodiscard]] bool observed() const { return observed_; }
  /// Begins to watch.
  void watch();
  /// Ends watching; returns the number of the first system call, or -1.
  [[nodiscard]] long stop();

 private:
  bool observed_ = false;
};

/// The name of a system call: "write", "futex", "system call 999".
[[nodiscard]] std::string system_call_name(long number);

}  // namespace hild::examine
