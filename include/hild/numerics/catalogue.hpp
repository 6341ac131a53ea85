// SPDX-License-Identifier: Apache-2.0
/// \file
/// The catalogue of methods: every entry is data (see method.hpp). Adding a method is one entry.
#pragma once

#include <span>
#include <string_view>

#include "hild/numerics/method.hpp"

namespace hild::numerics {

/// All methods, in the order of the papers.
[[nodiscard]] std::span<const Method* const> catalogue() noexcept;

/// By name or alias; nullptr when there is none.
[[nodiscard]] const Method* find_method(std::string_view name) noexcept;

}  // namespace hild::numerics
