// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the text and the JSON of an advice have in common.
#pragma once

#include <string>
#include <string_view>

#include "offline/advise/advice.hpp"

namespace hild::report {

/// "stability", "modes", "inputs", "sampling", "none"
[[nodiscard]] std::string_view to_string(advise::StepLimit limit) noexcept;
/// "longer_step", ...
[[nodiscard]] std::string_view to_string(advise::Remedy remedy) noexcept;
/// "wish", "signals", "slowest_mode", "none"
[[nodiscard]] std::string_view to_string(advise::BandFrom from) noexcept;

/// A time with three digits, "31.2 us"; "-" where there is no bound.
[[nodiscard]] std::string short_time(double seconds);

/// The names of some states, "i_L, u_C"; of many, the first and how many more.
[[nodiscard]] std::string names_of(const advise::Advice& advice,
                                   const std::vector<std::size_t>& states);

/// The verdict on the configured method and step: one or two sentences.
[[nodiscard]] std::string verdict_of(const advise::Advice& advice);
/// A remedy in words, with its numbers.
[[nodiscard]] std::string words_of(const advise::Offer& offer, const advise::Advice& advice);

}  // namespace hild::report
