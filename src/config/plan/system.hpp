// SPDX-License-Identifier: Apache-2.0
/// \file
/// The plan of a system: which node sends what to which, how old it is at most when it is used, and
/// whether that holds.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <vector>

#include "config/config.hpp"

namespace hild::plan {

/// A node, as the file of the system has it.
struct SystemNode {
  std::string name;
  config::Config config;
};

/// An input that gets what another node sends.
struct SystemLink {
  std::string from;        ///< the node, and its output: "motor.speed"
  std::string to;          ///< the node, and its input
  std::string signal;      ///< what the network knows it by
  Duration made_every{};   ///< a frame of the sender
  Duration oldest{};       ///< when it is used, where the network takes no time and loses nothing
  Duration max_latency{};  ///< 0: it may be of any age
  int may_be_lost = 0;     ///< samples in a row, or steps doubled, within max_latency
  std::string refusal{};   ///< why it cannot work; empty: it can
  std::string warning{};   ///< what may go wrong
};

struct SystemPlan {
  std::string file;
  struct Node {
    std::string name;
    Duration frame;
    bool aligned;           ///< its frames stand on TAI
    std::string members;    ///< with which it begins and is armed: "load, motor"; empty: alone
    std::string refusal{};  ///< why that cannot work; empty: it can
  };
  std::vector<Node> nodes;
  std::vector<SystemLink> links;

  /// Whether all links and all members can work.
  [[nodiscard]] bool fits() const noexcept;
};

/// Holds what nodes expect of one another against what they send.
[[nodiscard]] SystemPlan plan_system(std::string file, const std::vector<SystemNode>& nodes);

[[nodiscard]] std::string to_text(const SystemPlan& plan);
[[nodiscard]] boost::json::value to_json_value(const SystemPlan& plan);

}  // namespace hild::plan
