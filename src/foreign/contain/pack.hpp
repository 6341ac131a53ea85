// SPDX-License-Identifier: Apache-2.0
/// \file
/// Packs numbers and texts into bytes, and unpacks them, for processes of the same build on the
/// same machine. The bytes read may be anything: every length is checked against what is there, and
/// everything after a first mistake is zero.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hild::contain {

class Packer {
 public:
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void add(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);  // NOLINT: its bytes
  }
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    bytes_.append(text);
  }
  void add(const std::vector<double>& values) {
    add(static_cast<std::uint64_t>(values.size()));
    for (const double v : values) add(v);
  }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  requires(std::is_arithmetic_v<T>) void take(T& value) {
    value = T{};
    if (!holds(sizeof value)) return;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
  }
  void take(bool& value) {
    std::uint8_t byte = 0;
    take(byte);
    good_ = good_ && byte <= 1;
    value = byte == 1;
  }
  /// Takes one of the first `count` values of an enumeration.
  template <class E>
  void take(E& value, int count) {
    std::underlying_type_t<E> number{};
    take(number);
    good_ = good_ && number >= 0 && static_cast<int>(number) < count;
    value = good_ ? static_cast<E>(number) : E{};
  }
  void take(std::string& text) {
    const std::size_t size = length(1);
    text.assign(rest_.substr(0, size));
    rest_.remove_prefix(size);
  }
  void take(std::vector<double>& values) {
    values.resize(length(sizeof(double)));
    for (double& v : values) take(v);
  }
  /// Takes the length of a list whose entries take `least` bytes or more; 0 where so many cannot be
  /// there.
  [[nodiscard]] std::size_t length(std::size_t least) {
    std::uint64_t size = 0;
    take(size);
    good_ = good_ && size <= rest_.size() / least;
    return good_ ? static_cast<std::size_t>(size) : 0;
  }
  /// Whether everything was there, and nothing else.
  [[nodiscard]] bool done() const noexcept { return good_ && rest_.empty(); }
  [[nodiscard]] bool broken() const noexcept { return !good_; }
  void refuse() noexcept { good_ = false; }

 private:
  [[nodiscard]] bool holds(std::size_t bytes) noexcept {
    good_ = good_ && rest_.size() >= bytes;
    return good_;
  }
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace hild::contain
