// SPDX-License-Identifier: Apache-2.0
#include "fmu/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace hild::fmu {

void Messages::add(int status, const char* message) noexcept {
  if (count_++ >= kept) return;
  Line& line = lines_[count_ - 1];
  line.status = status;
  std::size_t n = 0;
  for (; message != nullptr && message[n] != '\0' && n + 1 < line.text.size(); ++n) {
    line.text[n] = message[n] == '\n' ? ' ' : message[n];
  }
  line.text[n] = '\0';
}

void Messages::add_formatted(int status, const char* format, std::va_list arguments) noexcept {
  if (count_ >= kept || format == nullptr) return add(status, nullptr);
  std::array<char, 248> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  add(status, text.data());
}

std::string Messages::last() const {
  return count_ == 0 ? std::string() : lines_[std::min(count_, kept) - 1].text.data();
}

std::string Messages::text(const std::string& start) const {
  constexpr std::array words{"ok", "warning", "discard", "error", "fatal", "pending"};
  std::string out;
  for (std::size_t i = 0; i < std::min(count_, kept); ++i) {
    const auto status = static_cast<std::size_t>(std::clamp(lines_[i].status, 0, 5));
    out += fmt::format("{}{}: {}\n", start, words[status], lines_[i].text.data());
  }
  if (count_ > kept) out += fmt::format("{}and {} more\n", start, count_ - kept);
  return out;
}

}  // namespace hild::fmu
