// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds/peer_table.hpp"

#include <algorithm>

namespace hild::dds {

void PeerTable::heard(std::string_view node, std::uint64_t run, const io::NodeWords& words) {
  auto entry =
      std::ranges::find_if(entries_, [&](const Entry& one) { return one.peer.node == node; });
  if (entry == entries_.end()) {
    entry = std::ranges::find_if(entries_, [](const Entry& one) { return one.peer.node == ""; });
  }
  if (entry == entries_.end()) {
    entry = std::ranges::find_if(entries_, [](const Entry& one) { return !one.peer.here; });
  }
  if (entry == entries_.end()) return;
  const bool same_node = entry->peer.node == node;
  if (same_node && run < entry->run) return;
  *entry = {run, {node, true, words}};
  put(slots_[static_cast<std::size_t>(entry - entries_.begin())], entry->peer);
}

void PeerTable::gone(std::string_view node) {
  const auto entry =
      std::ranges::find_if(entries_, [&](const Entry& one) { return one.peer.node == node; });
  if (entry == entries_.end()) return;
  entry->peer.here = false;
  put(slots_[static_cast<std::size_t>(entry - entries_.begin())], entry->peer);
}

}  // namespace hild::dds
