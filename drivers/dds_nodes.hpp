// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the run and the nodes that its gateway hears say to one another, through the page.
#pragma once

#include <vector>

#include "drivers/dds/words.hpp"

namespace hild::dds {

class PageNodes final : public io::Nodes {
 public:
  /// The page outlives it.
  PageNodes(const Page& page, std::string_view own, std::span<const Name> members);

  std::string_view own() const override { return own_.view(); }
  std::span<const Name> members() const override { return members_; }
  void tell(const io::NodeWords& words) override;
  std::vector<io::Peer> heard() override;

 private:
  PageHead* head_;
  rt::ImageSlot own_words_;
  std::vector<rt::ImageSlot> peers_;
  Name own_;
  std::vector<Name> members_;
  io::NodeWords told_{};
};

}  // namespace hild::dds
