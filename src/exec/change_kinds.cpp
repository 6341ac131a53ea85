// SPDX-License-Identifier: Apache-2.0
#include "exec/change_kinds.hpp"

#include <algorithm>
#include <utility>

namespace hild::exec {
namespace {

using Form = FieldInfo::Form;

/// Writes the fields down: all of them, or those that belong to one word of the choice.
class Lister {
 public:
  explicit Lister(std::vector<FieldInfo>& all, std::size_t word = SIZE_MAX)
      : all_(all), word_(word) {}
  [[nodiscard]] bool has(bool belongs) const noexcept { return belongs || word_ == SIZE_MAX; }

  void target(const Field& f, Target t, std::uint32_t& /*index*/) {
    add({.field = f, .form = Form::name, .target = t, .required = true});
  }
  void signal(const Field& f, Side& /*side*/, std::uint32_t& /*index*/) {
    add({.field = f, .form = Form::name, .either = true, .required = true});
  }
  void setting(const Field& f, Target t, std::uint32_t& /*index*/, double& /*value*/) {
    add({.field = f, .form = Form::settings, .target = t, .required = true});
  }
  template <class E, std::size_t n>
  void choice(const Field& f, E& value, const std::array<Word, n>& words) {
    choose(f, value, words, true);
  }
  template <class E, std::size_t n>
  void choice(const Field& f, E& value, const std::array<Word, n>& words, E /*otherwise*/) {
    choose(f, value, words, false);
  }
  void number(const Field& f, double& /*value*/, const Quantity& q) {
    add({.field = f, .form = Form::number, .unit = q.unit, .required = !q.otherwise});
  }
  void scaled(const Field& f, double& amplitude, const Field& of, PlaybackTable& /*table*/) {
    number(f, amplitude, {.unit = "1", .otherwise = 1});
    add({.field = of, .form = Form::table, .required = true});
  }
  template <class T>
  void whole(const Field& f, T& /*value*/, const Whole& w) {
    add({.field = f, .form = Form::whole, .limits = w});
  }
  void flag(const Field& f, bool& /*value*/) { add({.field = f, .form = Form::flag}); }
  void time(const Field& f, Duration& /*value*/, bool required) {
    add({.field = f, .form = Form::time, .unit = "s", .required = required});
  }
  void frames(const Field& f, std::int64_t& /*value*/) {
    add({.field = f, .form = Form::frames, .limits = {1, INT64_MAX}});
  }
  template <class C>
  void part() {
    C other;
    C::fields(*this, other);
  }

 private:
  template <class E>
  void choose(const Field& f, E& value, std::span<const Word> words, bool required) {
    const std::string_view usual = words[static_cast<std::size_t>(value)].name;
    if (word_ != SIZE_MAX) value = static_cast<E>(word_);
    add({.field = f, .form = Form::choice, .words = words, .usual = usual, .required = required});
  }
  void add(FieldInfo info) {
    const auto known =
        std::ranges::find(all_, info.field.name, [](const FieldInfo& i) { return i.field.name; });
    if (known == all_.end()) all_.push_back(std::move(info));
  }
  std::vector<FieldInfo>& all_;
  std::size_t word_;
};

// What each word of the choice makes of the fields, where they differ.
template <class C>
void add_uses(std::vector<FieldInfo>& all) {
  const auto choice = std::ranges::find(all, Form::choice, &FieldInfo::form);
  if (choice == all.end()) return;
  const std::span<const Word> words = choice->words;
  for (std::size_t w = 0; w < words.size(); ++w) {
    std::vector<FieldInfo> used;
    Lister lister(used, w);
    C c;
    C::fields(lister, c);
    for (const FieldInfo& u : used) {
      const auto field =
          std::ranges::find(all, u.field.name, [](const FieldInfo& i) { return i.field.name; });
      field->uses.push_back({words[w].name, u.unit, u.required});
    }
  }
  for (FieldInfo& f : all) {
    const auto same = [&](const FieldInfo::Use& u) {
      return u.unit == f.uses.front().unit && u.required == f.uses.front().required;
    };
    f.required =
        std::ranges::all_of(f.uses, &FieldInfo::Use::required) && f.uses.size() == words.size();
    if (f.uses.size() == words.size() && std::ranges::all_of(f.uses, same)) f.uses.clear();
  }
}

template <class C>
ChangeKind kind_of() {
  ChangeKind kind{.schema = C::schema, .fields = {}};
  Lister lister(kind.fields);
  C c;
  C::fields(lister, c);
  add_uses<C>(kind.fields);
  return kind;
}

template <class... C>
std::vector<ChangeKind> all_of(const std::variant<C...>* /*kinds*/) {
  return {kind_of<C>()...};
}

}  // namespace

const FieldInfo* ChangeKind::field(std::string_view name) const noexcept {
  const auto found =
      std::ranges::find(fields, name, [](const FieldInfo& i) { return i.field.name; });
  return found == fields.end() ? nullptr : &*found;
}

std::span<const ChangeKind> change_kinds() {
  static const std::vector<ChangeKind> kinds = all_of(static_cast<const Change*>(nullptr));
  return kinds;
}

const ChangeKind& change_kind(std::string_view name) {
  return *std::ranges::find(change_kinds(), name,
                            [](const ChangeKind& k) { return k.schema.name; });
}

}  // namespace hild::exec
