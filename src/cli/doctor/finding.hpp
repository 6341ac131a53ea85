// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace hild::doctor {

enum class Verdict {
  good,
  warning,  ///< some frames may be late
  problem,  ///< frames will be late, or a run cannot be what its configuration says
  unknown,  ///< this machine does not tell, or lacks what only some runs need
};
[[nodiscard]] std::string_view to_string(Verdict verdict) noexcept;

/// The result of one check.
struct Finding {
  std::string check;  ///< its name in JSON: "preempt_rt"
  Verdict verdict = Verdict::unknown;
  std::string found{};
  std::string why{};     ///< why it matters
  std::string remedy{};  ///< the command to run, or what else to do; empty when all is well
};

/// What is the same in all findings of a check.
struct Check {
  const char* name;
  const char* why;

  [[nodiscard]] Finding is(Verdict verdict, std::string found, std::string remedy = {}) const {
    return {name, verdict, std::move(found), why, std::move(remedy)};
  }
};

}  // namespace hild::doctor
