// SPDX-License-Identifier: Apache-2.0
#include "control/server/image.hpp"

#include <chrono>
#include <thread>

namespace hild::server {

// A loop that is not privileged may be held up half-way through writing; then it needs the CPU more
// than its readers do.
exec::Image newest_image(const Run& run) {
  const exec::Snapshot& snapshot = run.loop.snapshot();
  exec::Image image = snapshot.image();
  std::vector<double> scratch;
  for (int attempt = 0; attempt < 50 && snapshot.published() > 0; ++attempt) {
    if (snapshot.read(image, scratch)) break;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return image;
}

}  // namespace hild::server
