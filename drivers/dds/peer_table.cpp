// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds/peer_table.hpp"

#include <algorithm>

namespace hild::dds {

void PeerTable::heard(std::string_view node, std::uint64_t run, std::uint64_t writer,
                      const io::NodeWords& words) {
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
  if (same_node && entry->peer.here && run < entry->run) return;
  *entry = {run, writer, {node, true, words}};
  put(slots_[static_cast<std::size_t>(entry - entries_.begin())], entry->peer);
}

void PeerTable::lose_writer(std::uint64_t writer) {
  for (std::size_t n = 0; n < entries_.size(); ++n) {
    Entry& entry = entries_[n];
    if (!entry.peer.here || entry.writer != writer) continue;
    entry.peer.here = false;
    put(slots_[n], entry.peer);
  }
}

}  // namespace hild::dds
