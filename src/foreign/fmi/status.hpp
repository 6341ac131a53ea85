// SPDX-License-Identifier: Apache-2.0
/// \file
/// What each call of an FMU returns, the same in both versions.
#pragma once

namespace hild::fmi {

enum class Status : int { ok, warning, discard, error, fatal, pending };
[[nodiscard]] constexpr bool good(Status s) noexcept { return s <= Status::warning; }

}  // namespace hild::fmi
