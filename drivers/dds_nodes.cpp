// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds_nodes.hpp"

namespace hild::dds {

PageNodes::PageNodes(const Page& page, std::string_view own, std::span<const Name> members)
    : head_(&page.head()),
      own_words_(page.own_words()),
      peers_(page.peers()),
      own_(own),
      members_(members.begin(), members.end()) {}

// Counts alone wake nobody: they go with what the gateway says anyway.
void PageNodes::tell(const io::NodeWords& words) {
  own_words_.write(std::array<double, 0>{}, packed(words));
  told_.frame = words.frame;
  told_.overruns = words.overruns;
  if (words == told_) return;
  told_ = words;
  head_->written.ring();
}

std::vector<io::Peer> PageNodes::heard() {
  std::vector<io::Peer> all;
  all.reserve(peers_.size());
  for (const rt::ImageSlot& slot : peers_) {
    if (auto peer = peer_in(slot)) all.push_back(*peer);
  }
  return all;
}

}  // namespace hild::dds
