// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <utility>

#include "exec/changes.hpp"

namespace hild::framelog {
namespace {

namespace json = boost::json;

// ---- writing -----------------------------------------------------------------------------------

json::array texts(const double* values, std::size_t n) {
  json::array all;
  for (std::size_t i = 0; i < n; ++i) all.emplace_back(fmt::format("{}", values[i]));
  return all;
}

class Writer {
 public:
  explicit Writer(json::object& to) : to_(to) {}
  [[nodiscard]] static bool has(bool /*belongs*/) noexcept { return true; }

  void target(const exec::Field& f, exec::Target /*t*/, std::uint32_t index) {
    to_[f.name] = index;
  }
  void signal(const exec::Field& f, exec::Side side, std::uint32_t index) {
    to_["side"] = static_cast<int>(side);
    to_[f.name] = index;
  }
  void setting(const exec::Field& /*f*/, exec::Target t, std::uint32_t index, double value) {
    to_[to_string(t)] = index;  // by number, under the word for it
    to_["value"] = fmt::format("{}", value);
  }
  template <class E, std::size_t n>
  void choice(const exec::Field& f, E value, const std::array<exec::Word, n>& /*words*/,
              E /*otherwise*/ = {}) {
    to_[f.name] = static_cast<int>(value);
  }
  void number(const exec::Field& f, double value, const exec::Quantity& /*q*/) {
    to_[f.name] = fmt::format("{}", value);
  }
  void scaled(const exec::Field& f, double amplitude, const exec::Field& of,
              const exec::PlaybackTable& table) {
    number(f, amplitude, {});
    if (table.size == 0) return;
    to_[of.name] = {{"times", texts(table.times, table.size)},
                    {"values", texts(table.values, table.size)}};
  }
  template <class T>
  void whole(const exec::Field& f, T value, const exec::Whole& /*w*/) {
    to_[f.name] = value;
  }
  void flag(const exec::Field& f, bool value) { to_[f.name] = value; }
  void time(const exec::Field& f, Duration value, bool /*required*/) {
    to_[fmt::format("{}_ns", f.name)] = value.ns;
  }
  void frames(const exec::Field& f, std::int64_t value) { to_[f.name] = value; }
  template <class C>
  void part() noexcept {}

 private:
  json::object& to_;
};

constexpr std::string_view text_key = "text";  // beside the fields of a change

json::object write(const exec::Change& change, const std::string& text) {
  json::object fields;
  std::visit(
      [&]<class C>(const C& c) {
        Writer writer(fields);
        C::fields(writer, c);
      },
      change);
  if (!text.empty()) fields[text_key] = text;
  return {{exec::change_schemas[change.index()].name, std::move(fields)}};
}

// ---- reading -----------------------------------------------------------------------------------

struct Bad {
  std::string what;
};

double number_in(const json::value& v, std::string_view name) {
  const auto* text = v.if_string();
  double value = 0;
  if (text != nullptr) {
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (error == std::errc() && end == text->data() + text->size()) return value;
  }
  throw Bad{fmt::format("{:?} is no number in text", name)};
}

class ChangeReader {
 public:
  ChangeReader(const json::object& from, Effect& effect) : from_(from), effect_(effect) {}
  [[nodiscard]] static bool has(bool /*belongs*/) noexcept { return true; }

  void target(const exec::Field& f, exec::Target /*t*/, std::uint32_t& index) {
    read(f.name, index);
  }
  void signal(const exec::Field& f, exec::Side& side, std::uint32_t& index) {
    read_word("side", side, 2);
    read(f.name, index);
  }
  void setting(const exec::Field& /*f*/, exec::Target t, std::uint32_t& index, double& value) {
    read(to_string(t), index);
    value = number_in(at("value"), "value");
  }
  template <class E, std::size_t n>
  void choice(const exec::Field& f, E& value, const std::array<exec::Word, n>& /*words*/,
              E /*otherwise*/ = {}) {
    read_word(f.name, value, n);
  }
  void number(const exec::Field& f, double& value, const exec::Quantity& /*q*/) {
    value = number_in(at(f.name), f.name);
  }
  void scaled(const exec::Field& f, double& amplitude, const exec::Field& of,
              exec::PlaybackTable& table) {
    number(f, amplitude, {});
    const json::value* given = from_.if_contains(of.name);
    if (given == nullptr) return;
    const auto* both = given->if_object();
    if (both == nullptr) throw Bad{fmt::format("{:?} is no object", of.name)};
    const auto& times = column(*both, "times");
    const auto& values = column(*both, "values");
    if (times.size() != values.size()) throw Bad{"a table has not as many times as values"};
    table = {times.data(), values.data(), times.size()};
  }
  template <class T>
  void whole(const exec::Field& f, T& value, const exec::Whole& /*w*/) {
    read(f.name, value);
  }
  void flag(const exec::Field& f, bool& value) const {
    const json::value* given = from_.if_contains(f.name);
    if (given == nullptr) return;
    if (!given->is_bool()) throw Bad{fmt::format("{:?} is neither true nor false", f.name)};
    value = given->get_bool();
  }
  void time(const exec::Field& f, Duration& value, bool /*required*/) {
    read(fmt::format("{}_ns", f.name), value.ns);
  }
  void frames(const exec::Field& f, std::int64_t& value) { read(f.name, value); }
  template <class C>
  void part() noexcept {}

  template <std::integral T>
  void read(std::string_view name, T& value) const {
    boost::system::error_code error;
    value = at(name).to_number<T>(error);
    if (error) throw Bad{fmt::format("{:?} is no whole number of its range", name)};
  }
  [[nodiscard]] const json::value& at(std::string_view name) const {
    const auto* found = from_.if_contains(name);
    if (found == nullptr) throw Bad{fmt::format("there is no {:?}", name)};
    return *found;
  }

 private:
  template <class E>
  void read_word(std::string_view name, E& value, std::size_t words) const {
    int n = 0;
    read(name, n);
    if (n < 0 || std::cmp_greater_equal(n, words)) {
      throw Bad{fmt::format("{:?} is out of range", name)};
    }
    value = static_cast<E>(n);
  }
  [[nodiscard]] const std::vector<double>& column(const json::object& table,
                                                  std::string_view name) const {
    const auto* found = table.if_contains(name);
    const auto* list = found == nullptr ? nullptr : found->if_array();
    if (list == nullptr) throw Bad{fmt::format("a table has no {:?}", name)};
    auto& column = *effect_.tables.emplace_back(std::make_unique<std::vector<double>>());
    for (const json::value& v : *list) column.push_back(number_in(v, name));
    return column;
  }
  const json::object& from_;
  Effect& effect_;
};

template <std::size_t I = 0>
exec::Change make(std::size_t index) {
  if constexpr (I + 1 < std::variant_size_v<exec::Change>) {
    if (index != I) return make<I + 1>(index);
  }
  return exec::Change(std::in_place_index<I>);
}

exec::Change read(const json::value& v, Effect& effect) {
  const auto* named = v.if_object();
  if (named == nullptr || named->size() != 1 || !named->begin()->value().is_object()) {
    throw Bad{"a change is no object with one name"};
  }
  const auto* const found = std::ranges::find(
      exec::change_schemas, std::string_view(named->begin()->key()), &exec::ChangeSchema::name);
  if (found == exec::change_schemas.end()) {
    throw Bad{
        fmt::format("nothing known changes by {:?}", std::string_view(named->begin()->key()))};
  }
  exec::Change change = make(static_cast<std::size_t>(found - exec::change_schemas.begin()));
  std::visit(
      [&]<class C>(C& c) {
        ChangeReader reader(named->begin()->value().get_object(), effect);
        C::fields(reader, c);
      },
      change);
  const auto* const text = named->begin()->value().get_object().if_contains(text_key);
  effect.texts.emplace_back(text != nullptr && text->is_string() ? text->get_string()
                                                                 : json::string());
  return change;
}

}  // namespace

std::string write_effect(const exec::Transaction& transaction, const exec::Reply& reply,
                         std::span<const std::string> texts) {
  json::array changes;
  for (const exec::Change& c : transaction.changes()) {
    const std::size_t i = changes.size();
    changes.push_back(write(c, i < texts.size() ? texts[i] : std::string()));
  }
  return json::serialize(json::object{{"frame", reply.frame},
                                      {"t_ns", reply.time.ns},
                                      {"id", transaction.id},
                                      {"changes", std::move(changes)}});
}

std::string write_effect(const Effect& effect) {
  return write_effect(effect.transaction,
                      {.id = effect.transaction.id, .frame = effect.frame, .time = effect.time},
                      effect.texts);
}

Result<Effect> read_effect(std::string_view text) {
  boost::system::error_code error;
  const json::value parsed = json::parse({text.data(), text.size()}, error);
  if (error || !parsed.is_object()) return fail("a change of the log is not JSON");
  Effect effect;
  try {
    const ChangeReader whole(parsed.get_object(), effect);
    whole.read("frame", effect.frame);
    whole.read("t_ns", effect.time.ns);
    whole.read("id", effect.transaction.id);
    const auto* changes = whole.at("changes").if_array();
    if (changes == nullptr) throw Bad{"\"changes\" is no list"};
    for (const json::value& v : *changes) {
      if (!effect.transaction.add(read(v, effect))) throw Bad{"too many changes at once"};
    }
  } catch (const Bad& bad) {
    return fail("a change of the log cannot be read: {}", bad.what);
  }
  return effect;
}

std::string_view effect_schema() {
  return R"({"title":"hild.Change","type":"object",
"description":"changes from outside that took effect together at the start of a step",
"properties":{"frame":{"type":"integer"},"t_ns":{"type":"integer"},"id":{"type":"integer"},
"changes":{"type":"array","items":{"type":"object"}}}})";
}

}  // namespace hild::framelog
