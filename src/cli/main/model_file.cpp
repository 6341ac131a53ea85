// SPDX-License-Identifier: Apache-2.0
#include "cli/main/model_file.hpp"

#include <fmt/format.h>

#include <boost/algorithm/string/replace.hpp>
#include <filesystem>

#include "foreign/fmu/load.hpp"

namespace hild::commands {

std::optional<std::string> configuration_of(const std::string& file) {
  const std::filesystem::path path(file);
  const bool fmu = path.extension() == ".fmu";
  if (!fmu && path.extension() != ".so") return {};
  std::string_view method = "rk-4";
  if (fmu) {
    // Read, and not run: it may be for a process of its own.
    const auto read = fmu::unpacked(path);
    if (read && read->kind == fmu::Kind::co_simulation) method = "forward-euler";
  }
  // Paths are relative to the configuration, which has the model's name.
  const std::string name = boost::algorithm::replace_all_copy(path.filename().string(), "'", "''");
  return fmt::format(
      "frame: {{period: 1 ms}}\nmodel: {{{}: '{}'}}\nintegrator: {{method: {}, sampling: frame}}\n",
      fmu ? "fmu" : "plugin", name, method);
}

}  // namespace hild::commands
