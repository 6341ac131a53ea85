// SPDX-License-Identifier: Apache-2.0
#include "framelog/changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>

#include "framelog/change_fields.hpp"

namespace hild::framelog {
namespace {

namespace json = boost::json;

// ---- writing -----------------------------------------------------------------------------------

json::array texts(const double* values, std::size_t n) {
  json::array all;
  for (std::size_t i = 0; i < n; ++i) all.emplace_back(fmt::format("{}", values[i]));
  return all;
}

struct Writer {
  json::object& to;

  void operator()(std::string_view name, bool value) const { to[name] = value; }
  void operator()(std::string_view name, double value) const {
    to[name] = fmt::format("{}", value);
  }
  template <std::integral T>
  void operator()(std::string_view name, T value) const {
    to[name] = value;
  }
  template <class E>
  void operator()(std::string_view name, E value, E /*last*/) const {
    to[name] = static_cast<int>(value);
  }
  void operator()(std::string_view name, const exec::PlaybackTable& table) const {
    if (table.size == 0) return;
    to[name] = {{"times", texts(table.times, table.size)},
                {"values", texts(table.values, table.size)}};
  }
};

json::object write(exec::Change change) {
  json::object fields_of;
  std::visit([&](auto& c) { fields(c, Writer{fields_of}); }, change);
  return {{change_names[change.index()], std::move(fields_of)}};
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

struct ChangeReader {
  const json::object& from;
  Effect& effect;

  [[nodiscard]] const json::value& at(std::string_view name) const {
    const auto* found = from.if_contains(name);
    if (found == nullptr) throw Bad{fmt::format("there is no {:?}", name)};
    return *found;
  }
  void operator()(std::string_view name, bool& value) const {
    const auto* found = at(name).if_bool();
    if (found == nullptr) throw Bad{fmt::format("{:?} is neither true nor false", name)};
    value = *found;
  }
  void operator()(std::string_view name, double& value) const { value = number_in(at(name), name); }
  template <std::integral T>
  void operator()(std::string_view name, T& value) const {
    boost::system::error_code error;
    value = at(name).to_number<T>(error);
    if (error) throw Bad{fmt::format("{:?} is no whole number of its range", name)};
  }
  template <class E>
  void operator()(std::string_view name, E& value, E last) const {
    int n = 0;
    (*this)(name, n);
    if (n < 0 || n > static_cast<int>(last)) throw Bad{fmt::format("{:?} is out of range", name)};
    value = static_cast<E>(n);
  }
  void operator()(std::string_view name, exec::PlaybackTable& table) const {
    if (!from.contains(name)) return;
    const auto* both = at(name).if_object();
    if (both == nullptr) throw Bad{fmt::format("{:?} is no object", name)};
    const auto& times = column(*both, "times");
    const auto& values = column(*both, "values");
    if (times.size() != values.size()) throw Bad{"a table has not as many times as values"};
    table = {times.data(), values.data(), times.size()};
  }
  [[nodiscard]] const std::vector<double>& column(const json::object& table,
                                                  std::string_view name) const {
    const auto* found = table.if_contains(name);
    const auto* list = found == nullptr ? nullptr : found->if_array();
    if (list == nullptr) throw Bad{fmt::format("a table has no {:?}", name)};
    auto& column = *effect.tables.emplace_back(std::make_unique<std::vector<double>>());
    for (const json::value& v : *list) column.push_back(number_in(v, name));
    return column;
  }
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
  const auto* found = std::ranges::find(change_names, std::string_view(named->begin()->key()));
  if (found == change_names.end()) {
    throw Bad{
        fmt::format("nothing known changes by {:?}", std::string_view(named->begin()->key()))};
  }
  exec::Change change = make(static_cast<std::size_t>(found - change_names.begin()));
  std::visit(
      [&](auto& c) {
        fields(c, ChangeReader{named->begin()->value().get_object(), effect});
      },
      change);
  return change;
}

}  // namespace

std::string write_effect(const exec::Transaction& transaction, const exec::Reply& reply) {
  json::array changes;
  for (const exec::Change& c : transaction.changes()) changes.push_back(write(c));
  return json::serialize(json::object{{"frame", reply.frame},
                                      {"t_ns", reply.time.ns},
                                      {"id", transaction.id},
                                      {"changes", std::move(changes)}});
}

Result<Effect> read_effect(std::string_view text) {
  boost::system::error_code error;
  const json::value parsed = json::parse({text.data(), text.size()}, error);
  if (error || !parsed.is_object()) return fail("a change of the log is not JSON");
  Effect effect;
  try {
    const ChangeReader whole{parsed.get_object(), effect};
    whole("frame", effect.frame);
    whole("t_ns", effect.time.ns);
    whole("id", effect.transaction.id);
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
