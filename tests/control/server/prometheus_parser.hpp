// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads Prometheus' text format 0.0.4 as its document says (Exposition formats), and refuses what
/// that does not allow. Written from the document, not from what writes it here.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace hild::testing {

struct Exposition {
  struct Family {
    std::string type;
    std::string help;
  };
  struct Sample {
    std::string name;
    std::map<std::string, std::string> labels;
    double value = 0;
  };
  std::map<std::string, Family> families;
  std::vector<Sample> samples;

  /// The value of the one with this name and exactly these labels; throws when there is none.
  [[nodiscard]] double value(const std::string& name,
                             const std::map<std::string, std::string>& labels = {}) const;
};

/// Throws std::runtime_error with the line that is wrong.
[[nodiscard]] Exposition parse_exposition(const std::string& text);

}  // namespace hild::testing
