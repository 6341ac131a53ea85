// SPDX-License-Identifier: Apache-2.0
#include "control/sequence/step_reader.hpp"

#include <algorithm>
#include <array>

#include "config/near_names.hpp"
#include "exec/transaction.hpp"
#include "hild/core/units.hpp"

namespace hild::sequence {
namespace {

using config::Node;

constexpr std::string_view wait_until = "wait until";
constexpr std::array<std::string_view, 5> no_changes{"ramp", "transaction", "wait", "expect",
                                                     wait_until};
constexpr std::size_t max_changes = exec::max_changes;  ///< of one transaction

bool is_keyword(std::string_view key) {
  return is_change(key) || std::ranges::find(no_changes, key) != no_changes.end();
}

std::vector<std::string_view> all_keywords() {
  std::vector<std::string_view> all;
  for (const exec::ChangeSchema& s : exec::change_schemas) {
    if (!s.part) all.push_back(s.keyword);
  }
  all.insert(all.end(), no_changes.begin(), no_changes.end());
  return all;
}

/// "expect shaft_speed", "wait 500 ms", "resume": what a step without a name is called.
std::string words_of(const std::string& keyword, const Node& subject) {
  if (subject.kind == Node::Kind::scalar) return keyword + " " + subject.scalar;
  std::string words = keyword;
  for (std::size_t i = 0; i < subject.keys.size(); ++i) {
    words += fmt::format("{} {} {}", i == 0 ? "" : ",", subject.keys[i], subject.items[i].scalar);
  }
  return words;
}

}  // namespace

StepReader::StepReader(const Node& node, std::string path, const Names* names, Duration timeout)
    : node_(node),
      path_(std::move(path)),
      options_(node_, path_),
      names_(names),
      timeout_(timeout) {
  if (node.kind == Node::Kind::map) return;
  config::refuse(node.place, path_,
                 fmt::format("found {}, expected a step such as \"wait: 500 ms\"", node.found()));
}

std::string StepReader::keyword() {
  std::string found;
  for (const std::string& key : node_.keys) {
    if (!is_keyword(key)) continue;
    if (!found.empty()) {
      options_.reject(key, fmt::format("found a second thing to do beside \"{}\", expected one a "
                                       "step (several at once: transaction)",
                                       found));
    }
    found = key;
  }
  if (!found.empty()) return found;
  const std::vector<std::string_view> known = all_keywords();
  const auto misspelt = std::ranges::find_if(node_.keys, [&](const std::string& key) {
    return std::ranges::any_of(known, [&](std::string_view k) { return config::near(key, k); });
  });
  if (misspelt != node_.keys.end()) {
    options_.reject(*misspelt,
                    fmt::format("found an unknown key, {}", config::suggest(*misspelt, known)));
  }
  options_.reject_all(fmt::format("found nothing to do, {}", config::suggest("", known)));
}

Step StepReader::read() {
  Step step{.name = {}, .keyword = keyword(), .line = node_.place.line};
  if (const Node* name = node_.find("name"); name != nullptr) {
    step.name = options_.text("name");
  } else {
    step.name = words_of(step.keyword, *node_.find(step.keyword));
  }
  if (options_.has("at")) step.at = options_.duration("at");
  read_what(step);
  options_.refuse_unknown();
  return step;
}

void StepReader::read_what(Step& step) {
  if (step.keyword == "wait") {
    step.what = Pause{options_.duration("wait")};
  } else if (step.keyword == wait_until || step.keyword == "expect") {
    step.what = condition(step.keyword == wait_until);
  } else if (step.keyword == "ramp") {
    step.what = ramp();
  } else if (step.keyword == "transaction") {
    step.what = read_transaction();
  } else {
    step.what = Command{{change(step.keyword)}};
  }
}

Change StepReader::read_change() {
  const std::string what = keyword();
  if (!is_change(what)) {
    options_.reject(what, "expected a change that takes effect at once, such as set or fault");
  }
  Change read = change(what);
  options_.refuse_unknown();
  return read;
}

Command StepReader::read_transaction() {
  static_cast<void>(options_.has("transaction"));
  const Node& list = *node_.find("transaction");
  if (list.kind != Node::Kind::list || list.items.empty() || list.items.size() > max_changes) {
    options_.mismatch("transaction", fmt::format("a list of 1 to {} changes", max_changes));
  }
  Command command;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    StepReader reader(list.items[i], fmt::format("{}.transaction[{}]", path_, i + 1), names_,
                      timeout_);
    command.changes.push_back(reader.read_change());
  }
  return command;
}

const Named* StepReader::named(std::string_view key, const std::vector<Kind>& kinds) {
  const std::string_view name = options_.text(key);
  if (names_ == nullptr) return nullptr;
  const auto found = names_->find(name, kinds);
  if (!found) options_.reject(key, found.error().message);
  return *found;
}

double StepReader::value(config::YamlOptions& map, std::string_view key, const Named* of) {
  if (of != nullptr) return map.number(key, of->unit);
  constexpr std::string_view expected = "a number with its unit";
  const auto split = split_quantity(map.text(key));
  if (!split) map.mismatch(key, expected, split.error().message);
  if (split->unit.empty()) return split->number;
  const auto known = conversion_factor(split->unit, split->unit);
  if (!known) map.mismatch(key, expected, known.error().message);
  return split->number;
}

boost::json::object StepReader::values(std::string_view key, const std::vector<Kind>& kinds) {
  config::YamlOptions& map = options_.section(key);
  if (map.keys().empty()) options_.mismatch(key, "values by name, such as {NAME: 1 V}");
  boost::json::object values;
  for (const std::string& name : map.keys()) {
    const Named* of = nullptr;
    if (names_ != nullptr) {
      const auto found = names_->find(name, kinds);
      if (!found) map.reject(name, found.error().message);
      of = *found;
    }
    values[name] = value(map, name, of);
  }
  return values;
}

void StepReader::nothing_under(std::string_view key) {
  if (options_.has(key) && !empty_under(key)) options_.mismatch(key, "nothing after it");
}

bool StepReader::empty_under(std::string_view key) const {
  return node_.find(key)->kind == Node::Kind::empty;
}

}  // namespace hild::sequence
