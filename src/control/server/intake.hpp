// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a text asks for, read and held against the rate of who sent it, before anything of it is
/// done. Needs nothing of the run: any thread may do it.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include "control/rpc/request.hpp"
#include "control/server/token_bucket.hpp"

namespace hild::server {

struct Intake {
  /// A request, or what to answer instead.
  struct Item {
    rpc::Request request;                 ///< of one that was refused only the id
    std::optional<rpc::Error> refused{};  ///< for its rate, or since it is no request
    bool unknown = false;                 ///< who asked is answered, even where there is no id
    bool urgent = false;                  ///< goes before all else
  };
  bool batch = false;
  std::vector<Item> items;
  /// How long nothing more should be taken from this client: 0, unless it asks too much.
  std::chrono::duration<double> pause{0};
};

/// `may_write`: then no rate refuses what makes a run safe. A text that is nothing at all is one
/// item, refused.
[[nodiscard]] Intake take_in(std::string_view text, const rpc::Limits& limits, bool may_write,
                             TokenBucket& bucket);

/// Of a text that was too long to be received.
[[nodiscard]] Intake too_long(const rpc::Limits& limits);

}  // namespace hild::server
