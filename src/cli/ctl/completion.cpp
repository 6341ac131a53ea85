// SPDX-License-Identifier: Apache-2.0
/// `hildctl completion`, and the hidden command that its scripts call.
#include "cli/ctl/completion.hpp"

#include <boost/json.hpp>
#include <optional>

#include "cli/ctl/commands.hpp"
#include "cli/ctl/members.hpp"
#include "cli/terminal/completion.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;

/// Asks the daemon at most once for each thing, and gives up soon: somebody waits for a key.
class Asked {
 public:
  explicit Asked(const std::vector<std::string>& words) {
    common_.timeout = "1";
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i] == "--socket") common_.socket = words[i + 1];
    }
  }

  const json::value& reply(const char* method) {
    auto& kept = replies_[method];
    if (kept) return *kept;
    kept = json::value();
    if (auto client = open(common_)) {
      if (auto result = (*client)->call(method)) kept = std::move(*result);
    }
    return *kept;
  }

 private:
  Common common_;
  std::map<std::string, std::optional<json::value>> replies_;
};

std::vector<std::string> methods_of(const json::value& methods) {
  std::vector<std::string> names;
  if (!methods.is_array()) return names;
  for (const json::value& one : methods.get_array()) names.push_back(text_of(one, "name"));
  return names;
}

/// The params of one method, as `methods` tells them.
std::vector<std::string> param_names(const json::value& methods, const std::string& method) {
  std::vector<std::string> names;
  if (!methods.is_array()) return names;
  for (const json::value& one : methods.get_array()) {
    if (text_of(one, "name") != method) continue;
    for (const json::value& param : list_of(one, "params")) names.push_back(text_of(param, "name"));
  }
  return names;
}

std::vector<std::string> candidates(const std::vector<std::string>& words) {
  CLI::App app("", "hildctl");
  Exit ignored = Exit::done;
  add_all(app, ignored);
  Asked asked(words);
  const std::vector<std::string> from_command(words.begin() + options_first(words), words.end());
  const Known known{
      .names =
          [&] {
            return sequence::Names::from_list(asked.reply("list")).value_or(sequence::Names());
          },
      .methods = [&] { return methods_of(asked.reply("methods")); },
      .params =
          [&](const std::string& method) { return param_names(asked.reply("methods"), method); }};
  return complete(app, from_command, known);
}

}  // namespace

void add_completion(CLI::App& app, Exit& /*exit*/) {
  cli::add_completion(app, "Names are completed by asking the daemon.", candidates);
}

}  // namespace hild::ctl
