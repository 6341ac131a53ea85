// SPDX-License-Identifier: Apache-2.0
/// \file
/// Access to the image of the newest step.
#pragma once

#include <chrono>
#include <thread>

#include "control/server/names.hpp"
#include "control/server/run.hpp"

namespace hild::server {

/// The image of the newest step; its frame is -1 while there is none.
// A loop that is not privileged may be held up half-way through writing; then it needs the CPU more
// than its readers do.
[[nodiscard]] inline exec::Image newest_image(const Run& run) {
  const exec::Snapshot& snapshot = run.loop.snapshot();
  exec::Image image = snapshot.image();
  std::vector<double> scratch;
  for (int attempt = 0; attempt < 50 && snapshot.published() > 0; ++attempt) {
    if (snapshot.read(image, scratch)) break;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return image;
}

[[nodiscard]] inline double value_in(const exec::Image& image, Place p) {
  const std::vector<double>* const parts[] = {&image.inputs, &image.outputs, &image.states,
                                              &image.parameters};
  return (*parts[static_cast<std::size_t>(p.kind)])[p.index];
}

}  // namespace hild::server
