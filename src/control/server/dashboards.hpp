// SPDX-License-Identifier: Apache-2.0
/// \file
/// The dashboards that people arranged for the page: files in the folder of the daemon's state, one
/// each, of bounded size and number. A file that cannot be read is told, and never overwritten
/// without being kept beside.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "control/rpc/parse_json.hpp"

namespace hild::server {

struct Context;
class Params;

class Dashboards {
 public:
  static constexpr std::size_t most = 100;             ///< files
  static constexpr std::size_t most_bytes = 32 << 10;  ///< of a file, as it is written
  static constexpr std::size_t longest_name = 60;      ///< bytes
  static constexpr int version = 1;                    ///< of what is written

  /// `folder` is made with the first file. Empty: there is none, and nothing is kept.
  explicit Dashboards(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// The folder `dashboards` in $STATE_DIRECTORY, which a service manager names, else in
  /// $XDG_STATE_HOME/hild, else in $HOME/.local/state/hild; empty where there is none of them.
  [[nodiscard]] static std::filesystem::path usual_folder();

  // The answers to requests. All throw Refused.
  [[nodiscard]] json::value list() const;
  [[nodiscard]] json::value read(Params& params) const;
  [[nodiscard]] json::value write(Params& params) const;
  [[nodiscard]] json::value remove(Params& params) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const std::string& name) const;
  [[nodiscard]] std::vector<std::filesystem::path> files() const;
  void refuse_without_folder() const;

  std::filesystem::path folder_;
};

}  // namespace hild::server
