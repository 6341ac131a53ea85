// SPDX-License-Identifier: Apache-2.0
/// \file
/// Access to the image of the newest step.
#pragma once

#include "control/server/names.hpp"
#include "control/server/run.hpp"

namespace hild::server {

/// The image of the newest step; its frame is -1 while there is none.
[[nodiscard]] exec::Image newest_image(const Run& run);

[[nodiscard]] inline double value_in(const exec::Image& image, Place p) {
  const std::vector<double>* const parts[] = {&image.inputs, &image.outputs, &image.states,
                                              &image.parameters};
  return (*parts[static_cast<std::size_t>(p.kind)])[p.index];
}

}  // namespace hild::server
