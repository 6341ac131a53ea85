// SPDX-License-Identifier: Apache-2.0
#include "fmu/messages.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <new>

namespace hild::fmu {
namespace {

rt::Tally here;

constexpr std::size_t place_of(std::size_t n) {
  return n < Messages::first ? n : Messages::first + (n - Messages::first) % Messages::newest;
}

}  // namespace

Messages::Messages() {
  void* const place =
      ::mmap(nullptr, sizeof(Kept), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (place != MAP_FAILED) kept_ = new (place) Kept;  // NOLINT: the macro's cast; in the mapping
}

Messages::~Messages() {
  if (kept_ != nullptr) ::munmap(kept_, sizeof(Kept));
}

void Messages::add(int status, const char* message) noexcept {
  here.take();
  if (kept_ == nullptr) return;
  Line& line = kept_->lines[place_of(static_cast<std::size_t>(kept_->count.take()))];
  line.status = status;
  std::size_t n = 0;
  for (; message != nullptr && message[n] != '\0' && n + 1 < line.text.size(); ++n) {
    line.text[n] = message[n] == '\n' ? ' ' : message[n];
  }
  line.text[n] = '\0';
}

// Here and now: what the arguments point to is the FMU's, and gone when it returns.
void Messages::add_formatted(int status, const char* format, std::va_list arguments) noexcept {
  if (format == nullptr) return add(status, nullptr);
  std::array<char, 248> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  add(status, text.data());
}

std::size_t Messages::count() const noexcept {
  return kept_ == nullptr ? 0 : static_cast<std::size_t>(kept_->count.get());
}

const Messages::Line& Messages::line(std::size_t n) const noexcept {
  return kept_->lines[place_of(n)];
}

std::string Messages::last() const {
  const std::size_t n = count();
  return n == 0 ? std::string() : line(n - 1).text.data();
}

std::string Messages::text(const std::string& start) const {
  constexpr std::array words{"ok", "warning", "discard", "error", "fatal", "pending"};
  const std::size_t n = count();
  const std::size_t lost = n > first + newest ? n - first - newest : 0;
  std::string out;
  for (std::size_t i = 0; i < n; i += i + 1 == first ? 1 + lost : 1) {
    if (i == first + lost && lost > 0) out += fmt::format("{}and {} more, then\n", start, lost);
    const auto status = static_cast<std::size_t>(std::clamp(line(i).status, 0, 5));
    out += fmt::format("{}{}: {}\n", start, words[status], line(i).text.data());
  }
  return out;
}

long Messages::added_here() noexcept { return here.get(); }

}  // namespace hild::fmu
