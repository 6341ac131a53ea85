// SPDX-License-Identifier: Apache-2.0
/// \file
/// Packets as they are written in a test.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace hild::test {

using Bytes = std::vector<std::byte>;

inline Bytes bytes(std::initializer_list<int> values) {
  Bytes all;
  for (const int v : values) all.push_back(static_cast<std::byte>(v));
  return all;
}

}  // namespace hild::test
