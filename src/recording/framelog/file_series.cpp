// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/file_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace hild::framelog {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t least_digits = 4;

/// The number in "run-0012.mcap" of "run.mcap"; 0: it is not one of these.
std::int64_t number_in(const std::string& name, const std::string& stem,
                       const std::string& extension) {
  const std::string head = stem + "-";
  if (name.size() < head.size() + least_digits + extension.size() || !name.starts_with(head) ||
      !name.ends_with(extension)) {
    return 0;
  }
  const char* const first = name.data() + head.size();
  const char* const last = name.data() + name.size() - extension.size();
  const bool digits = std::all_of(first, last, [](char c) { return c >= '0' && c <= '9'; });
  std::int64_t number = 0;
  if (!digits || std::from_chars(first, last, number).ec != std::errc()) return 0;
  return name == head + fmt::format("{:0{}}", number, least_digits) + extension ? number : 0;
}

}  // namespace

std::string numbered(const fs::path& file, std::int64_t number) {
  const std::string name = fmt::format("{}-{:0{}}{}", file.stem().string(), number, least_digits,
                                       file.extension().string());
  return (file.parent_path() / name).string();
}

std::vector<std::int64_t> numbers_of(const fs::path& file) {
  const fs::path folder = file.parent_path().empty() ? fs::path(".") : file.parent_path();
  const std::string stem = file.stem().string();
  const std::string extension = file.extension().string();
  std::vector<std::int64_t> numbers;
  std::error_code
      problem;  // a folder that cannot be read is told where a file cannot be made in it
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    const std::int64_t number = number_in(at->path().filename().string(), stem, extension);
    if (number > 0) numbers.push_back(number);
  }
  std::ranges::sort(numbers);
  return numbers;
}

std::vector<std::string> remove_oldest(const fs::path& file, std::size_t keep,
                                       const std::vector<std::string>& open) {
  std::vector<std::string> left;
  if (keep == 0) return left;
  const std::vector<std::int64_t> numbers = numbers_of(file);
  const std::size_t surplus = numbers.size() - std::min(numbers.size(), keep);
  for (std::size_t i = 0; i < surplus; ++i) {
    const std::string name = numbered(file, numbers[i]);
    if (std::ranges::find(open, name) != open.end()) continue;
    std::error_code problem;
    fs::remove(name, problem);
    if (problem) left.push_back(fmt::format("cannot remove {}: {}", name, problem.message()));
  }
  return left;
}

}  // namespace hild::framelog
