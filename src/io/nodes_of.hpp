// SPDX-License-Identifier: Apache-2.0
/// \file
/// By which of its devices a run is a node among others.
#pragma once

#include <span>

#include "io/bus.hpp"

namespace hild::io {

/// The first that has members, else the first that connects nodes at all; null: none does.
[[nodiscard]] inline Nodes* nodes_of(std::span<const Member> devices) {
  Nodes* first = nullptr;
  for (const Member& one : devices) {
    Nodes* const nodes = one.device->nodes();
    if (nodes == nullptr) continue;
    if (!nodes->members().empty()) return nodes;
    if (first == nullptr) first = nodes;
  }
  return first;
}

}  // namespace hild::io
