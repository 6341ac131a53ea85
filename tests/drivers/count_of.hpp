// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a device has counted, by name.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

#include "hild/io/device.hpp"

namespace hild::test {

/// A name that it has no counter of fails the test.
inline std::int64_t count_of(const io::Device& device, std::string_view name) {
  for (const io::DeviceCounter& counter : device.counters()) {
    if (counter.name == name) return counter.value->get();
  }
  ADD_FAILURE() << "no counter " << name;
  return -1;
}

}  // namespace hild::test
