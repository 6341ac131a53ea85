// SPDX-License-Identifier: Apache-2.0
#include "control/server/change_words.hpp"

#include <fmt/format.h>

namespace hild::server {
namespace {

/// What a change is about, the word of its choice and its number; no details.
class WordsOfFields {
 public:
  WordsOfFields(std::string& text, const Names& names) : text_(text), names_(names) {}
  [[nodiscard]] static bool has(bool belongs) noexcept { return belongs; }

  void target(const exec::Field& /*f*/, exec::Target t, std::uint32_t index) {
    add(names_.shortest({static_cast<Kind>(t), index}));
  }
  void signal(const exec::Field& /*f*/, exec::Side side, std::uint32_t index) {
    add(names_.shortest({side == exec::Side::input ? Kind::input : Kind::output, index}));
  }
  void setting(const exec::Field& f, exec::Target t, std::uint32_t index, double value) {
    target(f, t, index);
    add(fmt::format("{:g}", value));
  }
  template <class E, std::size_t n>
  void choice(const exec::Field& /*f*/, E value, const std::array<exec::Word, n>& words,
              E /*otherwise*/ = {}) {
    add(words[static_cast<std::size_t>(value)].name);
  }
  void number(const exec::Field& f, double value, const exec::Quantity& /*q*/) {
    if (f.name == "value" || f.name == "amplitude") add(fmt::format("{:g}", value));
  }
  void scaled(const exec::Field& f, double amplitude, const exec::Field& /*of*/,
              const exec::PlaybackTable& /*table*/) {
    number(f, amplitude, {});
  }
  template <class T>
  void whole(const exec::Field& f, T value, const exec::Whole& /*w*/) {
    if (f.name == "slot" || f.name == "label") add(fmt::format("{}", value));
  }
  void flag(const exec::Field& /*f*/, bool /*value*/) noexcept {}
  void time(const exec::Field& /*f*/, Duration /*value*/, bool /*required*/) noexcept {}
  void frames(const exec::Field& /*f*/, std::int64_t /*value*/) noexcept {}
  template <class C>
  void part() noexcept {}

 private:
  void add(std::string_view word) { text_ += fmt::format(" {}", word); }
  std::string& text_;
  const Names& names_;
};

}  // namespace

std::string words_of(const exec::Change& change, const Names& names) {
  std::string text;
  std::visit(
      [&]<class C>(const C& c) {
        if (C::schema.part) return;
        text = C::schema.name;
        WordsOfFields words(text, names);
        C::fields(words, c);
      },
      change);
  return text;
}

bool is_fault(const exec::Change& change) {
  return std::holds_alternative<exec::Override>(change) ||
         std::holds_alternative<exec::InjectFault>(change);
}

}  // namespace hild::server
