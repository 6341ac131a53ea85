// SPDX-License-Identifier: Apache-2.0
/// \file
/// Packs values into bytes, and unpacks them, for processes of the same build on the same machine.
/// The bytes read may be anything: every length is checked against what is there, and everything
/// after a first mistake is zero.
///
/// Both take values one after the other: numbers, enumerations, texts, and what fields() takes
/// apart into such, in the same words for both ways. Of a struct these are its members, one after
/// the other, if nothing else is said.
#pragma once

#include <boost/pfr.hpp>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hild::contain {

/// How many values an enumeration that is sent has.
template <class Enumeration>
inline constexpr int enumerators = 0;

class Packer {
 public:
  template <class... Values>
  void operator()(const Values&... values) {
    (add(values), ...);
  }
  template <class T>
  void length(const std::vector<T>& list) {
    add(std::uint64_t{list.size()});
  }
  void refuse() noexcept {}
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  template <class T>
  void add(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);  // NOLINT: its bytes
    } else if constexpr (std::is_convertible_v<T, std::string_view>) {
      const std::string_view text = value;
      add(std::uint64_t{text.size()});
      bytes_.append(text);
    } else {
      T copy = value;  // fields() also unpacks
      fields(*this, copy);
    }
  }
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}
  /// Where to keep texts that are viewed; without it, views are empty.
  void keep_texts_in(std::deque<std::string>& texts) noexcept { texts_ = &texts; }

  template <class... Values>
  void operator()(Values&... values) {
    (take(values), ...);
  }
  /// Takes the length of a list, an entry of which takes eight bytes or more; 0 where so many
  /// cannot be there.
  template <class T>
  void length(std::vector<T>& list) {
    list.resize(length_of(sizeof(std::uint64_t)));
  }
  /// Whether everything was there, and nothing else.
  [[nodiscard]] bool done() const noexcept { return good_ && rest_.empty(); }
  [[nodiscard]] bool broken() const noexcept { return !good_; }
  void refuse() noexcept { good_ = false; }

 private:
  template <class T>
  void take(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      take(byte);
      good_ = good_ && byte <= 1;
      value = byte == 1;
    } else if constexpr (std::is_arithmetic_v<T>) {
      value = T{};
      good_ = good_ && rest_.size() >= sizeof value;
      if (!good_) return;
      std::memcpy(&value, rest_.data(), sizeof value);
      rest_.remove_prefix(sizeof value);
    } else if constexpr (std::is_enum_v<T>) {
      std::underlying_type_t<T> number{};
      take(number);
      good_ = good_ && number >= 0 && static_cast<int>(number) < enumerators<T>;
      value = good_ ? static_cast<T>(number) : T{};
    } else if constexpr (std::is_same_v<T, std::string>) {
      const std::size_t size = length_of(1);
      value.assign(rest_.substr(0, size));
      rest_.remove_prefix(size);
    } else if constexpr (std::is_same_v<T, std::string_view>) {
      std::string text;
      take(text);
      if (texts_ != nullptr) value = texts_->emplace_back(std::move(text));
    } else {
      fields(*this, value);
    }
  }
  /// A number of things that take `least` bytes or more; 0 where so many cannot be there.
  [[nodiscard]] std::size_t length_of(std::size_t least) {
    std::uint64_t size = 0;
    take(size);
    good_ = good_ && size <= rest_.size() / least;
    return good_ ? static_cast<std::size_t>(size) : 0;
  }
  std::string_view rest_;
  std::deque<std::string>* texts_ = nullptr;
  bool good_ = true;
};

template <class Wire, class Struct>
void fields(Wire& wire, Struct& value) {
  boost::pfr::for_each_field(value, [&](auto& member) { wire(member); });
}

template <class Wire, class T>
void fields(Wire& wire, std::vector<T>& list) {
  wire.length(list);
  for (T& one : list) wire(one);
}

template <class Wire, class T>
void fields(Wire& wire, std::optional<T>& value) {
  bool there = value.has_value();
  wire(there);
  if (there && !value) value.emplace();
  if (there) wire(*value);
}

template <class Wire, class Key, class T>
void fields(Wire& wire, std::map<Key, T>& map) {
  std::vector<std::pair<Key, T>> entries(map.begin(), map.end());
  wire.length(entries);
  for (auto& [key, value] : entries) wire(key, value);
  map = {entries.begin(), entries.end()};
}

}  // namespace hild::contain
