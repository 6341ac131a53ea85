// SPDX-License-Identifier: Apache-2.0
#include "cli/main/recordings_together.hpp"

#include <utility>

#include "cli/main/commands.hpp"
#include "cli/main/log_progress.hpp"

namespace hild::commands {

RecordingsTogether read_together(const std::vector<std::string>& files) {
  RecordingsTogether all;
  all.nodes.reserve(files.size());
  for (const std::string& file : files) {
    all.sources.push_back(needed(mcap::FileSource::open(file)));
    LogProgress progress("reading " + file);
    all.nodes.push_back(needed(join::read_node(all.sources.back(), file, std::ref(progress))));
  }
  auto joined = join::join(all.nodes);
  if (!joined) throw Error{"--join: " + joined.error().message};
  all.joined = std::move(*joined);
  return all;
}

}  // namespace hild::commands
