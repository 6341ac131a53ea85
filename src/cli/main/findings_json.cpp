// SPDX-License-Identifier: Apache-2.0
#include "cli/main/findings_json.hpp"

#include <boost/json.hpp>

namespace hild::commands {

boost::json::array findings_json(const std::vector<doctor::Finding>& findings) {
  boost::json::array all;
  for (const doctor::Finding& f : findings) {
    all.push_back({{"check", f.check},
                   {"verdict", doctor::to_string(f.verdict)},
                   {"found", f.found},
                   {"why", f.why},
                   {"remedy", f.remedy}});
  }
  return all;
}

}  // namespace hild::commands
