// SPDX-License-Identifier: Apache-2.0
/// \file
/// A text from a client, parsed into requests and checked against the rate of its sender, before
/// any of it is done. Needs nothing of the run: any thread may do it.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include "control/rpc/message.hpp"
#include "control/server/rates.hpp"

namespace hild::server {

struct Intake {
  /// A request, or the error to answer it with.
  struct Item {
    rpc::Request request;                 ///< only the id where it was refused
    std::optional<rpc::Error> refused{};  ///< why: it exceeds the rate, or is not a request
    bool unknown = false;                 ///< is answered even where there is no id
    bool urgent = false;                  ///< is executed before all else
  };
  bool batch = false;
  std::vector<Item> items;
  /// How long nothing more should be taken from this client: 0, unless it asks too much.
  std::chrono::duration<double> pause{0};
};

/// Parses a text. If `may_write`, requests that make a run safe are never refused for their rate. A
/// text that holds no request at all becomes one refused item.
[[nodiscard]] Intake take_in(std::string_view text, const rpc::Limits& limits, bool may_write,
                             TokenBucket& bucket);

/// The intake of a text that was too long to be received.
[[nodiscard]] Intake too_long(const rpc::Limits& limits);

}  // namespace hild::server
