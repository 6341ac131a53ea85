// SPDX-License-Identifier: Apache-2.0
/// \file
/// What nodes say of themselves, as it lies in the page. Not for the real-time side.
#pragma once

#include <array>
#include <optional>

#include "drivers/dds/page.hpp"
#include "hild/io/nodes.hpp"

namespace hild::dds {

/// What is known of what a node wants; of any other number: nothing.
[[nodiscard]] io::Ask ask_of(std::int64_t number) noexcept;

using PackedWords = std::array<double, words_of_node>;

[[nodiscard]] PackedWords packed(const io::NodeWords& words) noexcept;
/// Of any bits: what is not known is nothing.
[[nodiscard]] io::NodeWords unpacked(std::span<const double, words_of_node> words) noexcept;

/// Writes what was heard of a node, for the run.
void put(rt::ImageSlot& slot, const io::Peer& peer) noexcept;
/// None: nothing was heard there, or what there is is no name.
[[nodiscard]] std::optional<io::Peer> peer_in(const rt::ImageSlot& slot);

}  // namespace hild::dds
