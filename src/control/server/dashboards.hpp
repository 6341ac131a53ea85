// SPDX-License-Identifier: Apache-2.0
/// \file
/// The dashboards of the page: those that came with the configuration, which nobody changes, and
/// those that people arranged: files in the folder of the daemon's state, one each, of bounded size
/// and number. A file that cannot be read is told, and never overwritten without being kept beside.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "control/rpc/parse_json.hpp"

namespace hild::server {

struct Context;
class Params;

class Dashboards {
 public:
  using Configured = std::vector<config::Control::Dashboard>;

  /// `folder` is made with the first file. Empty: there is none, and nothing is kept. What is kept
  /// under the name of one that is `configured` is hidden by it, and stays as it is.
  explicit Dashboards(std::filesystem::path folder, Configured configured = {})
      : folder_(std::move(folder)), configured_(std::move(configured)) {}

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
  /// Null: none is configured under this name.
  [[nodiscard]] const config::Control::Dashboard* configured(std::string_view name) const;
  void refuse_configured(const std::string& name) const;

  std::filesystem::path folder_;
  Configured configured_;
};

}  // namespace hild::server
