// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmu/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "core/control_characters.hpp"

namespace hild::fmu {
namespace {

rt::Tally here;

constexpr std::size_t place_of(std::size_t n) {
  return n < Messages::first ? n : Messages::first + (n - Messages::first) % Messages::newest;
}

}  // namespace

Messages::Messages() {
  auto made = rt::SharedMemory::make(sizeof(Kept));
  if (!made) return;
  memory_ = std::move(*made);
  kept_ = &memory_.emplace<Kept>();
}

// Zeroed memory is what an empty one is made of, and whoever comes second finds what is there.
Messages::Messages(std::span<std::byte> place) noexcept
    : kept_(place.size() < sizeof(Kept) ? nullptr : reinterpret_cast<Kept*>(place.data())) {}

void Messages::add(int status, const char* message) noexcept {
  here.take();
  if (kept_ == nullptr) return;
  Line& line = kept_->lines[place_of(static_cast<std::size_t>(kept_->count.take()))];
  line.status.set(status);
  line.text.set(message == nullptr ? std::string_view()
                                   : std::string_view(message, ::strnlen(message, longest)));
}

// Here and now: what the arguments point to is the FMU's, and gone when it returns.
void Messages::add_formatted(int status, const char* format, std::va_list arguments) noexcept {
  if (format == nullptr) return add(status, nullptr);
  std::array<char, longest> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  add(status, text.data());
}

void Messages::take_over(const Messages& others) {
  if (kept_ == nullptr || others.kept_ == nullptr) return;
  const std::size_t n = others.count();
  const std::size_t lost = n > first + newest ? n - first - newest : 0;
  for (std::size_t i = 0; i < n; i += i + 1 == first ? 1 + lost : 1) {
    if (i == first + lost) kept_->count.add(static_cast<std::int64_t>(lost));
    add(static_cast<int>(others.kept_->lines[place_of(i)].status.get()), others.line(i).c_str());
  }
}

std::size_t Messages::count() const noexcept {
  // Of another process any number may come: no more than sums of several have room for.
  constexpr std::int64_t most = std::int64_t{1} << 40U;
  return kept_ == nullptr
             ? 0
             : static_cast<std::size_t>(std::clamp<std::int64_t>(kept_->count.get(), 0, most));
}

// As it is now: an FMU in a process of its own may write to it at any time, and what it likes.
std::string Messages::line(std::size_t n) const {
  const auto text = kept_->lines[place_of(n)].text.get();
  return without_controls(text.data());
}

std::string_view Messages::status(std::size_t n) const {
  constexpr std::array<std::string_view, 6> words{"ok",    "warning", "discard",
                                                  "error", "fatal",   "pending"};
  const std::int64_t status = kept_->lines[place_of(n)].status.get();
  return words[static_cast<std::size_t>(std::clamp<std::int64_t>(status, 0, 5))];
}

std::string Messages::last() const {
  const std::size_t n = count();
  return n == 0 ? std::string() : line(n - 1);
}

std::string Messages::text(const std::string& start) const {
  const std::size_t n = count();
  const std::size_t lost = n > first + newest ? n - first - newest : 0;
  std::string out;
  for (std::size_t i = 0; i < n; i += i + 1 == first ? 1 + lost : 1) {
    if (i == first + lost && lost > 0) out += fmt::format("{}and {} more, then\n", start, lost);
    out += fmt::format("{}{}: {}\n", start, status(i), line(i));
  }
  return out;
}

long Messages::added_here() noexcept { return here.get(); }

}  // namespace hild::fmu
