// SPDX-License-Identifier: Apache-2.0
/// \file
/// The state of a stepper, saved and loaded as a keyframe does it.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "core/archive_problem.hpp"
#include "hild/model/stepper.hpp"

namespace hild::testing {

using Bytes = std::vector<std::byte>;

/// What transfer(archive) saves, which must fit into what it measures.
template <class Transfer>
Bytes saved_by(Transfer&& transfer, const hild::Archive::Now& now = {}) {
  hild::Archive measured = hild::Archive::measuring();
  transfer(measured);
  EXPECT_TRUE(measured.good()) << words_for(measured.problem());
  Bytes bytes(measured.bytes());
  hild::Archive archive = hild::Archive::saving(bytes, now);
  transfer(archive);
  EXPECT_TRUE(archive.good()) << words_for(archive.problem());
  bytes.resize(archive.bytes());
  return bytes;
}

/// What was wrong with bytes that transfer(archive) is to load; empty: nothing, and none are left.
template <class Transfer>
std::string loaded_by(Transfer&& transfer, const Bytes& bytes, const hild::Archive::Now& now = {}) {
  hild::Archive archive = hild::Archive::loading(bytes, now);
  transfer(archive);
  if (archive.good() && archive.left() > 0) return "some bytes are left";
  return words_for(archive.problem());
}

inline Bytes save(model::Stepper& plant, SimTime t, int made = model::between_steps) {
  return saved_by([&](hild::Archive& a) { plant.transfer(a, made); }, {.time = t});
}
inline std::string load(model::Stepper& plant, const Bytes& bytes, SimTime t,
                        int made = model::between_steps) {
  return loaded_by([&](hild::Archive& a) { plant.transfer(a, made); }, bytes, {.time = t});
}

}  // namespace hild::testing
