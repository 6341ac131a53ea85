// SPDX-License-Identifier: Apache-2.0
#include "control/sequence/parse.hpp"

#include <algorithm>
#include <filesystem>

#include "config/document.hpp"
#include "config/yaml_options.hpp"
#include "control/sequence/read_step.hpp"

namespace hild::sequence {
namespace {

using config::ConfigError;
using config::Node;
using config::YamlOptions;

constexpr Duration usual_timeout = 10_s;

/// Steps are read by StepReader: here the lists need only be lists.
std::vector<Step> read_steps(const Node& root, std::string_view key, const Names* names,
                             Duration timeout) {
  const Node* list = root.find(key);
  if (list == nullptr) return {};
  if (list->kind != Node::Kind::list || list->items.empty()) {
    config::refuse(list->place, key,
                   fmt::format("found {}, expected a list of steps such as \"- wait: 500 ms\"",
                               list->kind == Node::Kind::list ? "an empty list" : list->found()));
  }
  if (list->items.size() > max_steps) {
    config::refuse(
        list->place, key,
        fmt::format("found {} steps, expected {} at most", list->items.size(), max_steps));
  }
  std::vector<Step> steps;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const Node& item = list->items[i];
    steps.push_back(read_step(item, fmt::format("{}[{}]", key, i + 1), names, timeout));
    if (key == "always" && steps.back().at) {
      config::refuse(item.find("at")->place, fmt::format("{}[{}].at", key, i + 1),
                     "what always runs follows whatever happened: it has no fixed time");
    }
  }
  return steps;
}

Sequence read(const Node& root, const std::string& file, const Names* names) {
  YamlOptions options(root, "");
  Sequence sequence{.file = file, .name = std::filesystem::path(file).stem().string()};
  sequence.name = options.text("name", sequence.name);
  sequence.description = options.text("description", "");
  const Duration timeout = options.duration("timeout", usual_timeout);
  for (const char* key : {"steps", "always"}) static_cast<void>(options.has(key));
  options.refuse_unknown();
  if (root.find("steps") == nullptr)
    options.reject_all("found no \"steps\", expected a list of them");
  sequence.steps = read_steps(root, "steps", names, timeout);
  sequence.always = read_steps(root, "always", names, timeout);
  return sequence;
}

/// The boundary of the room: nothing is thrown beyond it.
template <class Open>
Result<Sequence> guarded(const std::string& file, const Names* names, Open open) {
  try {
    return read(open(), file, names);
  } catch (const ConfigError& refused) {
    return tl::make_unexpected(refused.error);
  } catch (const std::exception& error) {
    return fail("{}: {}", file, error.what());
  }
}

}  // namespace

std::vector<std::string> signals_of(const Sequence& sequence) {
  std::vector<std::string> names;
  for (const auto* steps : {&sequence.steps, &sequence.always}) {
    for (const Step& step : *steps) {
      const auto* condition = std::get_if<Condition>(&step.what);
      if (condition != nullptr && std::ranges::find(names, condition->signal) == names.end()) {
        names.push_back(condition->signal);
      }
    }
  }
  return names;
}

Result<Sequence> parse_file(const std::string& file, const Names* names) {
  return guarded(file, names, [&] { return config::read_document(file, {}); });
}

Result<Sequence> parse_text(const std::string& text, const std::string& name, const Names* names) {
  return guarded(name, names, [&] { return config::read_text(text, name, {}); });
}

}  // namespace hild::sequence
