// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a gateway knows of the nodes that it hears, in the page for its run. Of two runs of one
/// node the later one counts, while it is there.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "drivers/dds/words.hpp"

namespace hild::dds {

class PeerTable {
 public:
  /// The page outlives it.
  explicit PeerTable(const Page& page) : slots_(page.peers()), entries_(slots_.size()) {}

  /// A node has said something of itself, through `writer`. What is one too many is left out, until
  /// another has gone.
  void heard(std::string_view node, std::uint64_t run, std::uint64_t writer,
             const io::NodeWords& words);
  /// That one has ended, or nothing was heard of it for a while.
  void lose_writer(std::uint64_t writer);

 private:
  struct Entry {
    std::uint64_t run = 0;
    std::uint64_t writer = 0;
    io::Peer peer{};
  };

  std::vector<rt::ImageSlot> slots_;
  std::vector<Entry> entries_;
};

}  // namespace hild::dds
