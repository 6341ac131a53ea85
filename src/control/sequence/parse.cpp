// SPDX-License-Identifier: Apache-2.0
#include "control/sequence/parse.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>

#include "config/document.hpp"
#include "config/near_names.hpp"
#include "config/write_yaml.hpp"
#include "config/yaml_options.hpp"
#include "control/sequence/variables.hpp"
#include "exec/mark_text.hpp"
#include "exec/transaction.hpp"
#include "hild/core/units.hpp"

namespace hild::sequence {
namespace {

using config::ConfigError;
using config::Node;
using config::Position;
using config::YamlOptions;
using exec::Field;

constexpr std::string_view wait_until = "wait until";
constexpr std::string_view for_each = "for each";
constexpr std::array<std::string_view, 7> no_changes{"ramp",     "transaction", "wait",    "expect",
                                                     wait_until, "record",      "unrecord"};
constexpr std::size_t max_changes = exec::max_changes;  ///< of one transaction
constexpr Duration usual_timeout = 10_s;
constexpr Duration usual_every = 20_ms;
constexpr std::int64_t most_settings = 100'000;  ///< of a parameter, in one ramp

const exec::ChangeSchema* change_of(std::string_view keyword) {
  const auto* const found =
      std::ranges::find(exec::change_schemas, keyword, &exec::ChangeSchema::keyword);
  return keyword.empty() || found == exec::change_schemas.end() ? nullptr : found;
}

bool is_keyword(std::string_view key) {
  return change_of(key) != nullptr || std::ranges::find(no_changes, key) != no_changes.end();
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
  if (subject.kind == Node::Type::scalar) return keyword + " " + subject.scalar;
  std::string words = keyword;
  for (std::size_t i = 0; i < subject.keys.size(); ++i) {
    words += fmt::format("{} {} {}", i == 0 ? "" : ",", subject.keys[i], subject.items[i].scalar);
  }
  return words;
}

Kind kind_of(exec::Target target) { return static_cast<Kind>(target); }

/// Reads the keys of a step one by one.
class KeyReader {
 public:
  /// `node` and `names` outlive the reader.
  KeyReader(const Node& node, std::string path, const Names* names)
      : node_(node), path_(std::move(path)), names_(names), options_(node_, path_) {
    if (node.kind == Node::Type::map) return;
    config::refuse(node.place, path_,
                   fmt::format("found {}, expected a step such as \"wait: 500 ms\"", node.found()));
  }

  [[nodiscard]] YamlOptions& options() noexcept { return options_; }
  [[nodiscard]] const Node& under(std::string_view key) const { return *node_.find(key); }

  [[nodiscard]] std::string keyword() {
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

  /// The name under `key`, which must be of one of these kinds; null when no names are known.
  const Named* named(std::string_view key, const std::vector<Kind>& kinds) {
    return named(options_, key, options_.text(key), kinds);
  }
  /// A quantity in the unit of `of`; in any unit when that is null.
  double value(std::string_view key, const Named* of) { return value(options_, key, of); }
  /// Values by name under `key`.
  json::object values(std::string_view key, const std::vector<Kind>& kinds) {
    YamlOptions& map = options_.section(key);
    if (map.keys().empty()) options_.mismatch(key, "values by name, such as {NAME: 1 V}");
    json::object values;
    for (const std::string& name : map.keys()) {
      values[name] = value(map, name, named(map, name, name, kinds));
    }
    return values;
  }
  /// A time above 0.
  Duration length(std::string_view key) {
    const Duration length = options_.duration(key);
    if (length <= Duration{}) options_.mismatch(key, "a time above 0");
    return length;
  }

 private:
  const Named* named(YamlOptions& map, std::string_view key, std::string_view name,
                     const std::vector<Kind>& kinds) const {
    if (names_ == nullptr) return nullptr;
    const auto found = names_->find(name, kinds);
    if (!found) map.reject(key, found.error().message);
    return *found;
  }
  static double value(YamlOptions& map, std::string_view key, const Named* of) {
    if (of != nullptr) return map.number(key, of->unit);
    constexpr std::string_view expected = "a number with its unit";
    const auto split = split_quantity(map.text(key));
    if (!split) map.mismatch(key, expected, split.error().message);
    if (split->unit.empty()) return split->number;
    const auto known = conversion_factor(split->unit, split->unit);
    if (!known) map.mismatch(key, expected, known.error().message);
    return split->number;
  }

  const Node& node_;
  std::string path_;
  const Names* names_;
  YamlOptions options_;
};

// ---- steps that change the run -----------------------------------------------------------------

/// Reads a change, as params of a method of docs/control.md: each kind of change tells which keys
/// there are. What it is about, its first field, stands under the keyword.
class ChangeReader {
 public:
  ChangeReader(KeyReader& step, std::string_view keyword) : step_(step), subject_(keyword) {}

  [[nodiscard]] Change take(std::string_view method) {
    if (!subject_.empty() && step_.options().has(subject_) && !empty_under(subject_)) {
      step_.options().mismatch(subject_, "nothing after it");
    }
    return {std::string(method), std::move(params_), lasts_};
  }
  [[nodiscard]] static bool has(bool belongs) noexcept { return belongs; }

  void target(const Field& f, exec::Target t, std::uint32_t& /*index*/) { name(f, {kind_of(t)}); }
  void signal(const Field& f, exec::Side& /*side*/, std::uint32_t& /*index*/) {
    name(f, {Kind::input, Kind::output});
  }
  void setting(const Field& f, exec::Target t, std::uint32_t& /*index*/, double& /*value*/) {
    params_[f.in_json()] = step_.values(key_of(f), {kind_of(t)});
  }
  template <class E, std::size_t n>
  void choice(const Field& f, E& value, const std::array<exec::Word, n>& words,
              std::optional<std::type_identity_t<E>> otherwise = {}) {
    if (otherwise && !given(f)) {
      value = *otherwise;
    } else {
      std::array<std::string_view, n> names;
      std::ranges::transform(words, names.begin(), &exec::Word::name);
      value = static_cast<E>(step_.options().choice(key_of(f), names));
    }
    params_[f.in_json()] = words[static_cast<std::size_t>(value)].name;
  }
  void number(const Field& f, double& /*value*/, const exec::Quantity& q) {
    const std::string_view key = key_of(f);
    if (q.otherwise && !step_.options().has(key)) return;
    params_[f.in_json()] = q.unit.empty()
                               ? step_.value(key, of_)
                               : step_.options().number(key, q.unit, {}, {q.low, q.high});
  }
  /// table: {times: [0 s, 1 s], values: [0, 1]}: in a file the amplitude has the unit.
  void scaled(const Field& f, double& /*amplitude*/, const Field& of,
              exec::PlaybackTable& /*table*/) {
    params_[f.in_json()] = step_.value(key_of(f), of_);
    YamlOptions& table = step_.options().section(of.in_files());
    const std::vector<double> times = table.numbers("times", "s");
    const std::vector<double> values = table.numbers("values", "1");
    if (times.empty() || times.size() != values.size()) {
      table.reject("values",
                   fmt::format("found {} values at {} times, expected as many, at least 1",
                               values.size(), times.size()));
    }
    params_[of.in_json()] = {{"times_s", json::array(times.begin(), times.end())},
                             {"values", json::array(values.begin(), values.end())}};
  }
  template <class T>
  void whole(const Field& f, T& /*value*/, const exec::Whole& w) {
    if (!given(f)) return;
    params_[f.in_json()] = step_.options().integer(key_of(f), w.low, w.high);
  }
  void flag(const Field& f, bool& /*value*/) {
    if (step_.options().boolean(f.in_files(), false)) params_[f.in_json()] = true;
  }
  void time(const Field& f, Duration& /*value*/, bool required) {
    const std::string_view key = key_of(f);
    if (required || step_.options().has(key)) params_[f.in_json()] = seconds(step_.length(key));
  }
  void frames(const Field& f, std::int64_t& /*value*/) {
    lasts_ = step_.options().duration(key_of(f), Duration{});
  }
  template <class C>
  void part() {
    C other;
    C::fields(*this, other);
  }
  /// What a mark is called, which is none of its fields.
  void text() {
    constexpr std::string_view key = "text";
    if (!step_.options().has(key)) return;
    const std::string_view called = step_.options().text(key);
    const auto good = exec::check_mark_text(called);
    if (!good) step_.options().reject(key, good.error().message);
    params_[key] = called;
  }

 private:
  [[nodiscard]] bool empty_under(std::string_view key) const {
    return step_.under(key).kind == Node::Type::empty;
  }
  [[nodiscard]] std::string_view key_of(const Field& f) {
    return subject_.empty() ? f.in_files() : std::exchange(subject_, {});
  }
  // Of what has a default; a keyword may have nothing after it then.
  [[nodiscard]] bool given(const Field& f) {
    const std::string_view key = subject_.empty() ? f.in_files() : subject_;
    const bool is = step_.options().has(key) && !empty_under(key);
    if (!is) subject_ = {};
    return is;
  }
  void name(const Field& f, const std::vector<Kind>& kinds) {
    const std::string_view key = key_of(f);
    of_ = step_.named(key, kinds);
    params_[f.in_json()] = step_.options().text(key);
  }

  KeyReader& step_;
  std::string_view subject_;  // the keyword, until a field has taken it
  const Named* of_ = nullptr;
  json::object params_;
  Duration lasts_{};
};

template <class C>
Change read_kind(KeyReader& step) {
  ChangeReader reader(step, C::schema.keyword);
  C c;
  C::fields(reader, c);
  if constexpr (std::is_same_v<C, exec::Mark>) reader.text();
  return reader.take(C::schema.name);
}

using ReadKind = Change (*)(KeyReader&);
template <class... C>
constexpr std::array<ReadKind, sizeof...(C)> readers_of(const std::variant<C...>* /*kinds*/) {
  return {read_kind<C>...};
}
constexpr auto readers = readers_of(static_cast<const exec::Change*>(nullptr));

Change read_change(KeyReader& step, std::string_view keyword) {
  return readers[static_cast<std::size_t>(change_of(keyword) - exec::change_schemas.begin())](step);
}

Command read_transaction(KeyReader& step, const std::string& path, const Names* names) {
  static_cast<void>(step.options().has("transaction"));
  const Node& list = step.under("transaction");
  if (list.kind != Node::Type::list || list.items.empty() || list.items.size() > max_changes) {
    step.options().mismatch("transaction", fmt::format("a list of 1 to {} changes", max_changes));
  }
  Command command;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    KeyReader entry(list.items[i], fmt::format("{}.transaction[{}]", path, i + 1), names);
    const std::string keyword = entry.keyword();
    if (change_of(keyword) == nullptr) {
      entry.options().reject(keyword,
                             "expected a change that takes effect at once, such as set or fault");
    }
    command.changes.push_back(read_change(entry, keyword));
    entry.options().refuse_unknown();
  }
  return command;
}

// ---- steps that take time ----------------------------------------------------------------------

Ramp read_ramp(KeyReader& step) {
  YamlOptions& options = step.options();
  const Named* of = step.named("ramp", {Kind::parameter, Kind::input});
  Ramp ramp{.name = std::string(options.text("ramp")),
            .parameter = of != nullptr && of->kind == Kind::parameter};
  if (options.has("from")) ramp.from = step.value("from", of);
  ramp.to = step.value("to", of);
  ramp.over = step.length("over");
  if (of != nullptr && !ramp.parameter) return ramp;
  ramp.every = options.duration("every", std::min(usual_every, ramp.over));
  if (ramp.every <= Duration{} || ramp.over.ns / ramp.every.ns > most_settings) {
    options.mismatch("every", fmt::format("a time above 0, at most {} of them in {} s",
                                          most_settings, seconds(ramp.over)));
  }
  return ramp;
}

/// `record: NAME`; without a name all that do not record yet.
Recording read_recording(KeyReader& step, std::string_view keyword) {
  Recording recording{.recorder = {}, .on = keyword == "record"};
  if (step.under(keyword).kind == Node::Type::empty) {
    static_cast<void>(step.options().has(keyword));
    return recording;
  }
  static_cast<void>(step.named(keyword, {Kind::recorder}));
  recording.recorder = step.options().text(keyword);
  return recording;
}

/// `is` with `within`, or `min` and `max`, or one of them.
void read_band(KeyReader& step, const Named* of, Condition& condition) {
  YamlOptions& options = step.options();
  if (options.has("is")) {
    const double centre = step.value("is", of);
    const double tolerance = step.value("within", of);
    if (tolerance < 0) options.mismatch("within", "a tolerance, not negative");
    for (const char* other : {"min", "max"}) {
      if (options.has(other)) options.reject(other, "expected \"is\" and \"within\", or limits");
    }
    condition.low = centre - tolerance;
    condition.high = centre + tolerance;
    return;
  }
  if (options.has("min")) condition.low = step.value("min", of);
  if (options.has("max")) condition.high = step.value("max", of);
  if (!options.has("min") && !options.has("max")) {
    options.reject_all(
        "found nothing to compare with, expected \"is\" with \"within\", \"min\", \"max\", or both "
        "of them");
  }
  if (condition.low > condition.high) options.mismatch("max", "a limit not below \"min\"");
}

/// `KEY: SIGNAL` with a band, or `KEY: alarm:NAME` with `is: active`, `open` or `clear`. An alarm
/// has its prefix always, so that none takes the name of a signal away.
Condition read_expected(KeyReader& step, std::string_view key) {
  YamlOptions& options = step.options();
  Condition condition{.signal = std::string(options.text(key))};
  condition.of_alarm = condition.signal.starts_with("alarm:");
  if (condition.of_alarm) {
    static_cast<void>(step.named(key, {Kind::alarm}));
    const std::size_t is = options.choice("is", {"clear", "open", "active"});
    (is == 0 ? condition.high : condition.low) = static_cast<double>(is);
    return condition;
  }
  const Named* of = step.named(key, {Kind::output, Kind::input, Kind::state});
  if (of != nullptr) condition.unit = of->unit;
  read_band(step, of, condition);
  return condition;
}

Condition read_condition(KeyReader& step, bool waiting, Duration timeout) {
  YamlOptions& options = step.options();
  Condition condition = read_expected(step, waiting ? wait_until : "expect");
  condition.hold = options.duration("for", Duration{});
  // An expectation is to be true from now on unless it is given time; what is waited for never is.
  const Duration usual = waiting ? std::max(timeout, condition.hold) : condition.hold;
  condition.timeout = options.duration("timeout", usual);
  if (condition.timeout < condition.hold) {
    options.mismatch("timeout", fmt::format("at least the {} s of \"for\": the timeout includes it",
                                            seconds(condition.hold)));
  }
  return condition;
}

// ---- one step ----------------------------------------------------------------------------------

Step read_step(const Node& node, const std::string& path, const Names* names, Duration timeout) {
  KeyReader reader(node, path, names);
  YamlOptions& options = reader.options();
  Step step{.name = {}, .keyword = reader.keyword(), .line = node.place.line};
  step.name = node.find("name") != nullptr ? std::string(options.text("name"))
                                           : words_of(step.keyword, reader.under(step.keyword));
  if (options.has("at")) step.at = options.duration("at");
  if (step.keyword == "wait") {
    step.what = Pause{options.duration("wait")};
  } else if (step.keyword == wait_until || step.keyword == "expect") {
    step.what = read_condition(reader, step.keyword == wait_until, timeout);
  } else if (step.keyword == "ramp") {
    step.what = read_ramp(reader);
  } else if (step.keyword == "record" || step.keyword == "unrecord") {
    step.what = read_recording(reader, step.keyword);
  } else if (step.keyword == "transaction") {
    step.what = read_transaction(reader, path, names);
  } else {
    step.what = Command{{read_change(reader, step.keyword)}};
  }
  options.refuse_unknown();
  return step;
}

/// A map without what stands under these keys.
Node own_part(const Node& map, std::initializer_list<std::string_view> without) {
  Node own = map;
  for (const std::string_view key : without) {
    if (Node* const other = own.find(key)) *other = Node{.place = other->place};
  }
  return own;
}

// ---- blocks of steps ---------------------------------------------------------------------------

/// `meanwhile: [{expect: SIGNAL, BAND, after: TIME}, ...]`.
Step read_meanwhile(const Node& node, const std::string& path, const Names* names) {
  if (node.kind != Node::Type::map || node.find("expect") == nullptr) {
    config::refuse(node.place, path,
                   fmt::format("found {}, expected what must hold meanwhile, such as {{expect: "
                               "current, max: 3 A}}",
                               node.found()));
  }
  KeyReader reader(node, path, names);
  YamlOptions& options = reader.options();
  Step step{.name = {}, .keyword = "meanwhile", .line = node.place.line};
  step.name = node.find("name") != nullptr
                  ? std::string(options.text("name"))
                  : "meanwhile " + words_of("expect", reader.under("expect"));
  During during{.condition = read_expected(reader, "expect")};
  during.after = options.duration("after", Duration{});
  step.what = std::move(during);
  options.refuse_unknown();
  return step;
}

/// Reads the steps of a list, with those of blocks as often as they are taken.
class StepReader {
 public:
  StepReader(const Names* names, Duration timeout, bool always)
      : names_(names), timeout_(timeout), always_(always) {}

  void read(const Node& list, const std::string& path, const Variables& known) {
    check(list, path);
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const Node& item = list.items[i];
      const std::string own = fmt::format("{}[{}]", path, i + 1);
      if (item.kind == Node::Type::map && item.find("steps") != nullptr) {
        read_block(item, own, known);
      } else {
        read_one(item, own, known);
      }
    }
  }
  [[nodiscard]] std::vector<Step> take() { return std::move(steps_); }

 private:
  static void check(const Node& list, const std::string& path) {
    if (list.kind != Node::Type::list || list.items.empty()) {
      config::refuse(list.place, path,
                     fmt::format("found {}, expected a list of steps such as \"- wait: 500 ms\"",
                                 list.kind == Node::Type::list ? "an empty list" : list.found()));
    }
    if (list.items.size() > max_steps) {
      config::refuse(
          list.place, path,
          fmt::format("found {} steps, expected {} at most", list.items.size(), max_steps));
    }
  }

  void add(const Node& node, const std::string& path, Step step) {
    if (steps_.size() == max_taken) {
      config::refuse(node.place, path,
                     fmt::format("with all repetitions there are more than {} steps, expected no "
                                 "more",
                                 max_taken));
    }
    step.name += label_;
    steps_.push_back(std::move(step));
  }

  void read_one(const Node& written, const std::string& path, const Variables& known) {
    if (written.kind == Node::Type::map &&
        (written.find("repeat") != nullptr || written.find(for_each) != nullptr ||
         written.find("meanwhile") != nullptr)) {
      config::refuse(written.place, path,
                     "found a block without \"steps\", expected a list of them beside it");
    }
    Node item = written;
    known.substitute(item, path);
    Step step = read_step(item, path, names_, timeout_);
    if (step.at && (always_ || loops_ > 0)) {
      config::refuse(item.find("at")->place, path + ".at",
                     always_ ? "what always runs follows whatever happened: it has no fixed time"
                             : "what is repeated has no fixed time");
    }
    add(item, path, std::move(step));
  }

  void read_block(const Node& written, const std::string& path, const Variables& known) {
    if (depth_ == max_depth) {
      config::refuse(written.place, path,
                     fmt::format("expected no more than {} blocks within one another", max_depth));
    }
    Node head = own_part(written, {"steps", "meanwhile", for_each});
    known.substitute(head, path);
    YamlOptions options(head, path);
    for (const std::string_view part :
         {std::string_view("steps"), std::string_view("meanwhile"), for_each}) {
      static_cast<void>(options.has(part));
    }
    const bool repeats = options.has("repeat");
    const Node* const each = written.find(for_each);
    if (repeats && each != nullptr) {
      options.reject("repeat", "found \"for each\" beside it, expected one of them a block");
    }
    const std::int64_t times =
        repeats ? options.integer("repeat", 1, static_cast<std::int64_t>(max_taken)) : 1;
    options.refuse_unknown();
    ++depth_;
    if (each != nullptr) {
      read_each(written, *each, path, known);
    } else {
      loops_ += repeats ? 1 : 0;
      for (std::int64_t n = 1; n <= times; ++n) {
        read_once(written, path, known,
                  repeats ? fmt::format(" ({} of {})", n, times) : std::string());
      }
      loops_ -= repeats ? 1 : 0;
    }
    --depth_;
  }

  void read_each(const Node& block, const Node& each, const std::string& path,
                 const Variables& known) {
    const std::string own = fmt::format("{}.{}", path, for_each);
    ++loops_;
    for (const std::vector<Let>& one : combinations(read_axes(each, own, known))) {
      Variables inner = known;
      std::string label;
      for (const Let& let : one) {
        inner.add(each.place, own, let);
        label += fmt::format("{}{} = {}", label.empty() ? " (" : ", ", let.name, let.value);
      }
      read_once(block, path, inner, label + ")");
    }
    --loops_;
  }

  void read_once(const Node& block, const std::string& path, const Variables& known,
                 const std::string& label) {
    const std::string outer = label_;
    label_ = label + outer;
    const std::size_t begin = steps_.size();
    read(*block.find("steps"), path + ".steps", known);
    if (const Node* const meanwhile = block.find("meanwhile")) {
      const std::string own = path + ".meanwhile";
      check(*meanwhile, own);
      for (std::size_t i = 0; i < meanwhile->items.size(); ++i) {
        const std::string place = fmt::format("{}[{}]", own, i + 1);
        Node item = meanwhile->items[i];
        known.substitute(item, place);
        Step step = read_meanwhile(item, place, names_);
        std::get<During>(step.what).begin = begin;
        add(item, place, std::move(step));
      }
    }
    label_ = outer;
  }

  const Names* names_;
  Duration timeout_;
  bool always_;
  std::vector<Step> steps_;
  std::string label_;  // of the repetitions a step is of
  std::size_t depth_ = 0;
  int loops_ = 0;
};

// ---- the file ----------------------------------------------------------------------------------

std::vector<Step> read_steps(const Node& root, std::string_view key, const Names* names,
                             Duration timeout, const Variables& known) {
  const Node* list = root.find(key);
  if (list == nullptr) return {};
  StepReader reader(names, timeout, key == "always");
  reader.read(*list, std::string(key), known);
  return reader.take();
}

/// The variables of a file, and those it sweeps over.
struct Declared {
  Variables variables;
  std::vector<Axis> swept;  ///< that are not given
  std::vector<Let> chosen;  ///< of those swept over that are given
};

const Let* given_as(const std::vector<Let>& given, std::string_view name) {
  const auto found = std::ranges::find(given, name, &Let::name);
  return found == given.end() ? nullptr : &*found;
}

void read_let(const Node& root, const std::vector<Let>& given, Declared& declared) {
  const Node* const let = root.find("let");
  if (let == nullptr) return;
  if (let->kind != Node::Type::map) {
    config::refuse(let->place, "let",
                   fmt::format("found {}, expected variables with their values, such as {{load: "
                               "0.1 Nm}}",
                               let->found()));
  }
  for (std::size_t i = 0; i < let->items.size(); ++i) {
    Node value = let->items[i];
    const std::string path = "let." + let->keys[i];
    if (value.kind != Node::Type::scalar) {
      config::refuse(value.place, path, fmt::format("found {}, expected a value", value.found()));
    }
    const Let* const instead = given_as(given, let->keys[i]);
    if (instead == nullptr) declared.variables.substitute(value, path);
    declared.variables.add(value.place, path,
                           {let->keys[i], instead != nullptr ? instead->value : value.scalar});
  }
}

// A variable that is swept over and given stands where `let` has it: it may be in no list.
void read_sweep(const Node& root, const std::vector<Let>& given, Declared& declared) {
  const Node* const sweep = root.find("sweep");
  if (sweep == nullptr) return;
  for (Axis& axis : read_axes(*sweep, "sweep", declared.variables)) {
    if (const Let* const instead = given_as(given, axis.name)) {
      declared.chosen.push_back(*instead);
    } else {
      declared.swept.push_back(std::move(axis));
    }
  }
  for (const Let& one : declared.chosen) {
    declared.variables.add(sweep->place, config::join("sweep", one.name), one);
  }
}

Declared read_declared(const Node& root, const std::string& file, const std::vector<Let>& given) {
  Declared declared;
  read_let(root, given, declared);
  read_sweep(root, given, declared);
  std::vector<std::string_view> known = declared.variables.names();
  for (const Axis& axis : declared.swept) known.push_back(axis.name);
  for (const Let& one : given) {
    if (std::ranges::find(known, one.name) != known.end()) continue;
    throw ConfigError{
        Error{fmt::format("--let {}: {} has no such variable, {}", one.name, file,
                          known.empty() ? "and none at all" : config::suggest(one.name, known))}};
  }
  return declared;
}

Sequence read(const Node& root, const std::string& file, const Names* names,
              const std::vector<Let>& given) {
  Declared declared = read_declared(root, file, given);
  for (Axis& axis : declared.swept) {
    const Position& place = root.find("sweep")->place;
    const std::string path = config::join("sweep", axis.name);
    if (axis.values.size() > 1) {
      config::refuse(place, path,
                     fmt::format("found {} values, expected one here: --let {}={}; `hild run "
                                 "--offline --sequence` makes a run of each",
                                 axis.values.size(), axis.name, axis.values.front()));
    }
    declared.variables.add(place, path, {axis.name, axis.values.front()});
    declared.chosen.push_back({axis.name, axis.values.front()});
  }
  const Variables& known = declared.variables;
  Node head = own_part(root, {"steps", "always", "let", "sweep"});
  known.substitute(head, "");
  YamlOptions options(head, "");
  Sequence sequence{.file = file, .name = std::filesystem::path(file).stem().string()};
  sequence.name = options.text("name", sequence.name);
  sequence.description = options.text("description", "");
  sequence.share = options.boolean("share", false);
  const Duration timeout = options.duration("timeout", usual_timeout);
  for (const char* key : {"steps", "always", "let", "sweep"}) static_cast<void>(options.has(key));
  options.refuse_unknown();
  if (root.find("steps") == nullptr)
    options.reject_all("found no \"steps\", expected a list of them");
  sequence.steps = read_steps(root, "steps", names, timeout, known);
  sequence.always = read_steps(root, "always", names, timeout, known);
  sequence.swept = std::move(declared.chosen);
  return sequence;
}

/// The boundary of the room: nothing is thrown beyond it.
template <class Open, class Use>
auto guarded(const std::string& file, Open open, Use use) -> Result<decltype(use(open()))> {
  try {
    return use(open());
  } catch (const ConfigError& refused) {
    return tl::make_unexpected(refused.error);
  } catch (const std::exception& error) {
    return fail("{}: {}", file, error.what());
  }
}

}  // namespace

const Condition* condition_of(const Step& step) noexcept {
  if (const auto* during = std::get_if<During>(&step.what)) return &during->condition;
  return std::get_if<Condition>(&step.what);
}

std::vector<std::string> signals_of(const Sequence& sequence) {
  std::vector<std::string> names;
  for (const auto* steps : {&sequence.steps, &sequence.always}) {
    for (const Step& step : *steps) {
      const Condition* condition = condition_of(step);
      if (condition != nullptr && std::ranges::find(names, condition->signal) == names.end()) {
        names.push_back(condition->signal);
      }
    }
  }
  return names;
}

Result<std::vector<Axis>> sweep_of_file(const std::string& file, const std::vector<Let>& given) {
  return guarded(
      file, [&] { return config::read_document(file, {}); },
      [&](const Node& root) { return read_declared(root, file, given).swept; });
}

Result<std::vector<Axis>> sweep_of_text(const std::string& text, const std::string& name,
                                        const std::vector<Let>& given) {
  return guarded(
      name, [&] { return config::read_text(text, name, {}); },
      [&](const Node& root) { return read_declared(root, name, given).swept; });
}

Result<Sequence> parse_file(const std::string& file, const Names* names,
                            const std::vector<Let>& given) {
  return guarded(
      file, [&] { return config::read_document(file, {}); },
      [&](const Node& root) {
        Sequence sequence = read(root, file, names, given);
        for (config::SourceText& source : config::sources_of(root)) {
          if (source.name != file) sequence.included.push_back(std::move(source.name));
        }
        return sequence;
      });
}

Result<Sequence> parse_text(const std::string& text, const std::string& name, const Names* names,
                            const std::vector<Let>& given) {
  return guarded(
      name, [&] { return config::read_text(text, name, {}); },
      [&](const Node& root) { return read(root, name, names, given); });
}

}  // namespace hild::sequence
