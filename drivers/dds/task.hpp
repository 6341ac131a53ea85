// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a gateway is told: where it is to talk, as whom, what it sends and what it is to receive.
/// All names are printable.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hild/core/name.hpp"
#include "hild/core/result.hpp"

namespace hild::dds {

/// A signal, by its name among those of its node.
struct SignalName {
  Name name;
  Name unit;
};

/// What is received of a node: an image.
struct NodeInputs {
  Name node;
  std::vector<SignalName> signals{};
};

struct GatewayTask {
  Name device;  ///< for messages
  int domain = 0;
  Name interface {};          ///< of the network, "lo"
  std::vector<Name> peers{};  ///< addresses; none: nodes are found by multicast, or on this machine
  Name system{};              ///< the partition
  Name node{};                ///< this one
  int priority = 0;           ///< SCHED_FIFO; 0: ordinary
  std::string security{};     ///< the folder of its certificate and rights; empty: DDS has none
  std::vector<SignalName> outputs{};
  std::vector<NodeInputs> inputs{};

  /// How many values are in each image.
  [[nodiscard]] std::vector<std::size_t> image_sizes() const;
};

[[nodiscard]] std::string packed(const GatewayTask& task);
/// Error: it is none of this build, or breaks off.
[[nodiscard]] Result<GatewayTask> unpacked(std::string_view bytes);

}  // namespace hild::dds
