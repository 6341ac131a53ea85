// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace hild::doctor {

enum class Verdict {
  good,
  warning,  ///< some frames may be late
  problem,  ///< frames will be late, or a run cannot be what its configuration says
  unknown,  ///< this machine does not tell
};
[[nodiscard]] std::string_view to_string(Verdict verdict) noexcept;

/// What one check says.
struct Finding {
  std::string check;  ///< "preempt_rt": what it is called in JSON
  Verdict verdict = Verdict::unknown;
  std::string found{};
  std::string why{};     ///< it matters
  std::string remedy{};  ///< the command, or what else to do; empty when all is well
};

}  // namespace hild::doctor
