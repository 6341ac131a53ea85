// SPDX-License-Identifier: Apache-2.0
/// The changes of a request, as each kind of them tells what it consists of; several as one.
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <cmath>

#include "control/server/method.hpp"
#include "exec/change_check.hpp"
#include "exec/mark_text.hpp"

namespace hild::server {
namespace {

using exec::Field;

Kind kind_of(exec::Target target) { return static_cast<Kind>(target); }

/// Reads the fields of a change out of params, in their order: what a signal is tells the unit of
/// its value. One visit may make several changes, where values are given by name.
class ChangeReader {
 public:
  ChangeReader(const Subjects& subjects, Params& params) : subjects_(subjects), params_(params) {}

  struct NamedValue {
    std::uint32_t index;
    double value;
    std::string called;
  };
  [[nodiscard]] const std::vector<NamedValue>& settings() const noexcept { return settings_; }
  [[nodiscard]] const std::string& subject() const noexcept { return subject_; }
  [[nodiscard]] std::unique_ptr<Table> take_table() { return std::move(table_); }
  [[nodiscard]] bool has_part() const noexcept { return part_; }

  [[nodiscard]] static bool has(bool belongs) noexcept { return belongs; }

  void target(const Field& f, exec::Target t, std::uint32_t& index) {
    const Kind among[] = {kind_of(t)};
    index = static_cast<std::uint32_t>(find(f, among).index);
  }
  void signal(const Field& f, exec::Side& side, std::uint32_t& index) {
    static constexpr Kind among[] = {Kind::input, Kind::output};
    const Place p = find(f, among);
    side = p.kind == Kind::input ? exec::Side::input : exec::Side::output;
    index = static_cast<std::uint32_t>(p.index);
  }
  void setting(const Field& f, exec::Target t, std::uint32_t& /*index*/, double& /*value*/) {
    const json::object& values = params_.object(f.in_json());
    if (values.empty()) {
      params_.reject(f.in_json(),
                     fmt::format("expected {} at least",
                                 t == exec::Target::parameter ? "a parameter" : "an output"));
    }
    const std::string path = called(f);
    const Kind among[] = {kind_of(t)};
    for (const auto& member : values) {
      const Place p = subjects_.names.find(std::string_view(member.key()), among, path);
      const std::string name = path + "." + std::string(subjects_.names.name(p));
      const auto index = static_cast<std::uint32_t>(p.index);
      if (std::ranges::find(settings_, index, &NamedValue::index) != settings_.end()) {
        refuse(rpc::Code::invalid_params, "{}: there twice, once with its prefix", name);
      }
      settings_.push_back(
          {index, quantity_of(member.value(), name, subjects_.names.unit(p), limits_of(p)), name});
    }
  }
  template <class E, std::size_t n>
  void choice(const Field& f, E& value, const std::array<exec::Word, n>& words,
              std::optional<std::type_identity_t<E>> otherwise = {}) {
    if (subject_.empty()) subject_ = called(f);
    value = otherwise && !params_.has(f.in_json())
                ? *otherwise
                : static_cast<E>(params_.choice(f.in_json(), words));
  }
  void number(const Field& f, double& value, const exec::Quantity& q) {
    const io::Interval limits = limits_.value_or(io::Interval{q.low, q.high});
    const auto otherwise = limits_ && limits.low > 0 ? std::nullopt : q.otherwise;
    value = params_.number(f.in_json(), q.unit.empty() ? unit_ : q.unit, otherwise, limits);
  }
  void scaled(const Field& f, double& amplitude, const Field& of, exec::PlaybackTable& lent) {
    Params section(params_.object(of.in_json()), called(of));
    table_ = std::make_unique<Table>();
    table_->times = section.numbers("times_s", "s");
    table_->values = section.numbers("values", unit_);
    section.refuse_unknown();
    lent = {table_->times.data(), table_->values.data(), table_->times.size()};
    check_table(of);
    amplitude = params_.number(f.in_json(), "1", 1.0);
  }
  template <class T>
  void whole(const Field& f, T& value, const exec::Whole& w) {
    if (subject_.empty()) subject_ = called(f);
    value = static_cast<T>(params_.integer(f.in_json(), w.low, w.high, w.otherwise));
  }
  void flag(const Field& f, bool& value) { value = params_.boolean(f.in_json(), false); }
  void time(const Field& f, Duration& value, bool required) {
    if (!required && !params_.has(f.in_json())) return;
    value = params_.duration(f.in_json());
    if (value.ns == 0) params_.reject(f.in_json(), "expected a time above 0");
  }
  void frames(const Field& f, std::int64_t& value) {
    if (params_.has(f.in_json())) value = params_.integer(f.in_json(), 1, INT64_MAX);
  }
  template <class C>
  void part() {
    part_ = true;
    C other;
    C::fields(*this, other);
  }

  /// What a stimulus adds must be a number, however large.
  void check_size(const exec::Stimulus& s) const {
    double most = 1;
    for (std::size_t i = 0; i < s.table.size; ++i) {
      most = std::max(most, std::abs(s.table.values[i]));
    }
    if (std::isfinite(std::abs(s.offset) + std::abs(s.amplitude) * most)) return;
    params_.reject("amplitude",
                   "with the offset, and with the values of a table, it goes beyond "
                   "the largest number");
  }

 private:
  [[nodiscard]] std::string called(const Field& f) const { return params_.name_of(f.in_json()); }
  Place find(const Field& f, std::span<const Kind> among) {
    subject_ = called(f);
    const Place p = subjects_.names.find(params_.text(f.in_json()), among, subject_);
    unit_ = subjects_.names.unit(p);
    if (p.kind == Kind::device_fault) {
      limits_ = subjects_.device_faults[p.index].allowed;
      if (unit_.empty()) unit_ = "1";
    }
    return p;
  }
  [[nodiscard]] io::Interval limits_of(Place p) const {
    if (p.kind != Kind::parameter) return {};
    const model::Parameter& described = subjects_.description.parameters[p.index];
    return {described.low, described.high};
  }
  void check_table(const Field& f) const {
    const std::string name(f.in_json());
    if (table_->times.size() != table_->values.size()) {
      params_.reject(name, fmt::format("{} times and {} values, expected as many of both",
                                       table_->times.size(), table_->values.size()));
    }
    const exec::PlaybackTable lent{table_->times.data(), table_->values.data(),
                                   table_->times.size()};
    switch (exec::check_table(lent)) {
      case exec::Refusal::none:
        return;
      case exec::Refusal::not_finite:
        params_.reject(name + ".values", "two of them are further apart than numbers go");
      default:
        params_.reject(name + ".times_s",
                       "expected one time at least, and each above the one before it");
    }
  }

  const Subjects& subjects_;
  Params& params_;
  std::string subject_;                   // what messages of the loop are about
  std::string_view unit_{};               // of what the change aims at
  std::optional<io::Interval> limits_{};  // of a value of it, where it has some of its own
  std::vector<NamedValue> settings_;
  std::unique_ptr<Table> table_;
  bool part_ = false;
};

// A change for each of the values; those of another kind where that is a part of `C`.
template <class C>
void add_settings(const ChangeReader& reader, const C& c, Changes& changes) {
  struct Into {
    const ChangeReader::NamedValue& from;
    static bool has(bool /*belongs*/) { return true; }
    void setting(const Field& /*f*/, exec::Target /*t*/, std::uint32_t& index, double& value) {
      index = from.index;
      value = from.value;
    }
    void flag(const Field& /*f*/, bool& /*value*/) {}
  };
  for (std::size_t i = 0; i < reader.settings().size(); ++i) {
    const ChangeReader::NamedValue& setting = reader.settings()[i];
    C one = c;
    Into into{setting};
    C::fields(into, one);
    changes.add(one, {i, setting.called});
  }
}

std::string text_of_mark(Params& params) {
  constexpr std::string_view key = "text";
  if (!params.has(key)) return {};
  std::string text = params.text(key);
  const auto good = exec::check_mark_text(text);
  if (!good) params.reject(key, good.error().message);
  return text;
}

template <class C>
void read_change(const Subjects& subjects, Params& params, Changes& changes) {
  C c;
  ChangeReader reader(subjects, params);
  C::fields(reader, c);
  if constexpr (std::is_same_v<C, exec::Stimulus>) reader.check_size(c);
  if constexpr (std::is_same_v<C, exec::SetParameter>) return add_settings(reader, c, changes);
  if (reader.has_part()) add_settings(reader, exec::DeclareOutput{}, changes);
  const std::string subject =
      reader.subject().empty() ? std::string(C::schema.name) : reader.subject();
  std::string text;
  if constexpr (std::is_same_v<C, exec::Mark>) text = text_of_mark(params);
  changes.add(c, {0, subject}, reader.take_table(), std::move(text));
}

template <class... C>
constexpr std::array<Changing, sizeof...(C)> readers_of(const std::variant<C...>* /*kinds*/) {
  return {read_change<C>...};
}

// Its params, but for `at`: all take effect at once.
void add_entry(const Subjects& subjects, const json::value& entry, const std::string& called,
               Changes& changes) {
  const json::object* const o = entry.if_object();
  if (o == nullptr || o->size() != 1) {
    refuse(rpc::Code::invalid_params, "{}: found {}, expected {{METHOD: params}}, one in each",
           called, found(entry));
  }
  const auto& [name, value] = *o->begin();
  const Method& method = find_method(std::string_view(name));
  const auto* const change = std::get_if<Changing>(&method.does);
  if (change == nullptr || *change == &transaction) {
    refuse(rpc::Code::invalid_params, "{}: {} cannot be part of a transaction", called,
           method.name);
  }
  const std::string path = fmt::format("{}.{}", called, method.name);
  if (!value.is_object()) {
    refuse(rpc::Code::invalid_params, "{}: found {}, expected an object", path, found(value));
  }
  Params params(value.get_object(), path);
  (*change)(subjects, params, changes);
  params.refuse_unknown();
}

}  // namespace

std::span<const Changing> change_readers() {
  static constexpr auto readers = readers_of(static_cast<const exec::Change*>(nullptr));
  return readers;
}

void transaction(const Subjects& subjects, Params& params, Changes& changes) {
  const json::array& entries = params.list("changes");
  if (entries.empty()) params.reject("changes", "expected a change at least");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::size_t first = changes.all.size();
    add_entry(subjects, entries[i], fmt::format("{}[{}]", params.name_of("changes"), i), changes);
    for (std::size_t at = first; at < changes.all.size(); ++at) changes.origins[at].entry = i;
  }
}

Result<ReadChanges> read_changes(const Subjects& subjects, const json::array& entries) {
  const json::object whole{{"changes", entries}};
  try {
    Changes changes;
    Params params(whole);
    transaction(subjects, params, changes);
    ReadChanges read;
    for (const exec::Change& change : changes.all) static_cast<void>(read.transaction.add(change));
    for (std::unique_ptr<Table>& table : changes.tables) {
      if (table) read.tables.emplace_back(std::move(table));
    }
    return read;
  } catch (const Refused& refused) {
    return fail("{}", refused.error.message);
  }
}

}  // namespace hild::server
