// SPDX-License-Identifier: Apache-2.0
/// \file
/// The warnings of a run: each is said once, and kept for the report, in the order they were said.
#pragma once

#include <string>

#include "hild/rt/thread.hpp"

namespace hild::commands {

class RunWarnings {
 public:
  /// Says one now.
  void tell(const std::string& text);
  /// Where others put theirs, which tell_rest() says.
  [[nodiscard]] rt::Warnings& rest() noexcept { return all_; }
  void tell_rest();

  [[nodiscard]] const rt::Warnings& all() const noexcept { return all_; }

 private:
  rt::Warnings all_;
  std::size_t told_ = 0;  // of them
};

}  // namespace hild::commands
