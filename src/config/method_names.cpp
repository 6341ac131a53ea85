// SPDX-License-Identifier: Apache-2.0
#include "config/method_names.hpp"

#include "config/near_names.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::config {

std::vector<std::string_view> method_names() {
  std::vector<std::string_view> names;
  for (const auto* method : numerics::catalogue()) {
    names.push_back(method->name);
    for (const std::string_view alias : method->aliases) {
      if (!alias.empty()) names.push_back(alias);
    }
  }
  return names;
}

std::string suggest_method(std::string_view found) { return suggest(found, method_names()); }

}  // namespace hild::config
