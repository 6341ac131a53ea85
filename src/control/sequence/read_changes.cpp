// SPDX-License-Identifier: Apache-2.0
/// \file
/// The steps that change the run, as params of the methods of docs/control.md: each kind of change
/// tells which keys there are.
#include <array>

#include "control/sequence/step_reader.hpp"
#include "exec/changes.hpp"

namespace hild::sequence {
namespace {

namespace json = boost::json;
using exec::Field;

Kind kind_of(exec::Target target) {
  static constexpr Kind kinds[] = {Kind::parameter, Kind::input, Kind::output};
  return kinds[static_cast<std::size_t>(target)];
}

/// Reads the keys of a change. What it is about, its first field, stands under the keyword.
class KeyReader {
 public:
  KeyReader(StepReader& step, std::string_view keyword) : step_(step), subject_(keyword) {}

  [[nodiscard]] Change take(std::string_view method) {
    if (!subject_.empty()) step_.nothing_under(subject_);
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
  void choice(const Field& f, E& value, const std::array<exec::Word, n>& words) {
    const std::string_view key = key_of(f);
    std::array<std::string_view, n> names;
    std::ranges::transform(words, names.begin(), &exec::Word::name);
    value = static_cast<E>(step_.options().choice(key, names));
    params_[f.in_json()] = names[static_cast<std::size_t>(value)];
  }
  template <class E, std::size_t n>
  void choice(const Field& f, E& value, const std::array<exec::Word, n>& words, E otherwise) {
    if (given(f)) return choice(f, value, words);
    value = otherwise;
    params_[f.in_json()] = words[static_cast<std::size_t>(otherwise)].name;
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
    config::YamlOptions& table = step_.options().section(of.in_files());
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
    if (!required && !step_.options().has(key)) return;
    const Duration length = step_.options().duration(key);
    if (length <= Duration{}) step_.options().mismatch(key, "a time above 0");
    params_[f.in_json()] = seconds(length);
  }
  void frames(const Field& f, std::int64_t& /*value*/) {
    lasts_ = step_.options().duration(key_of(f), Duration{});
  }
  template <class C>
  void part() {
    C other;
    C::fields(*this, other);
  }

 private:
  [[nodiscard]] std::string_view key_of(const Field& f) {
    return subject_.empty() ? f.in_files() : std::exchange(subject_, {});
  }
  // Of what has a default; a keyword may have nothing after it then.
  [[nodiscard]] bool given(const Field& f) {
    const std::string_view key = subject_.empty() ? f.in_files() : subject_;
    const bool is = step_.options().has(key) && !step_.empty_under(key);
    if (!is) subject_ = {};
    return is;
  }
  void name(const Field& f, const std::vector<Kind>& kinds) {
    const std::string_view key = key_of(f);
    of_ = step_.named(key, kinds);
    params_[f.in_json()] = step_.options().text(key);
  }

  StepReader& step_;
  std::string_view subject_;  // the keyword, until a field has taken it
  const Named* of_ = nullptr;
  json::object params_;
  Duration lasts_{};
};

template <class C>
Change read_kind(StepReader& step) {
  KeyReader reader(step, C::schema.keyword);
  C c;
  C::fields(reader, c);
  return reader.take(C::schema.name);
}

using ReadKind = Change (*)(StepReader&);
template <class... C>
constexpr std::array<ReadKind, sizeof...(C)> readers_of(const std::variant<C...>* /*kinds*/) {
  return {read_kind<C>...};
}
constexpr auto readers = readers_of(static_cast<const exec::Change*>(nullptr));

}  // namespace

bool is_change(std::string_view keyword) {
  return !keyword.empty() &&
         std::ranges::find(exec::change_schemas, keyword, &exec::ChangeSchema::keyword) !=
             exec::change_schemas.end();
}

Change StepReader::change(std::string_view keyword) {
  const auto schema =
      std::ranges::find(exec::change_schemas, keyword, &exec::ChangeSchema::keyword);
  return readers[static_cast<std::size_t>(schema - exec::change_schemas.begin())](*this);
}

}  // namespace hild::sequence
