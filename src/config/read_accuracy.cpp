// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "config/sections.hpp"

namespace hild::config {

// accuracy: {limit: 1e-4, then: warn}
void read_accuracy(YamlOptions& root, Config& config) {
  YamlOptions& section = root.map("accuracy");
  exec::Accuracy& accuracy = config.settings.accuracy;
  const bool none = section.has("limit") && section.text("limit") == "none";
  if (none) {
    accuracy.limit = std::numeric_limits<double>::infinity();
  } else {
    accuracy.limit = section.number("limit", "1", accuracy.limit);
    if (!(accuracy.limit > 0)) section.mismatch("limit", "more than 0, or none");
  }
  accuracy.stop = section.choice("then", {"warn", "safe-stop"}, 0) == 1;
  if (accuracy.stop && none) {
    section.reject("then", "found \"safe-stop\" beside `limit: none`, expected a limit");
  }
}

}  // namespace hild::config
