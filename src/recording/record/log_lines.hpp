// SPDX-License-Identifier: Apache-2.0
/// \file
/// The lines of a log: their fields, and how many there may be.
#pragma once

#include <spdlog/logger.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hild/core/time.hpp"

namespace hild::record {

/// A field. Its name has upper case letters, digits and underscores, beginning with a letter.
struct LogField {
  LogField(std::string_view of, std::string_view text) : name(of), value(text) {}
  LogField(std::string_view of, std::int64_t number) : name(of), value(std::to_string(number)) {}

  std::string_view name;
  std::string value;
};

/// What a line says in words, again in a form that programs can search for. They belong to the
/// lines that are logged on this thread while the object lives; sinks that cannot keep fields (a
/// terminal) ignore them.
class LogFields {
 public:
  explicit LogFields(std::vector<LogField> fields)
      : fields_(std::move(fields)), outer_(std::exchange(innermost(), this)) {}
  ~LogFields() { innermost() = outer_; }
  LogFields(const LogFields&) = delete;
  LogFields& operator=(const LogFields&) = delete;

  /// The fields of the line being logged.
  [[nodiscard]] static std::span<const LogField> current() {
    return innermost() == nullptr ? std::span<const LogField>() : innermost()->fields_;
  }

 private:
  static LogFields*& innermost() {
    thread_local LogFields* fields = nullptr;
    return fields;
  }

  std::vector<LogField> fields_;
  LogFields* outer_;
};

/// Logs a line with its fields.
inline void log(spdlog::logger& to, spdlog::level::level_enum level, std::vector<LogField> fields,
                std::string_view line) {
  const LogFields kept(std::move(fields));
  to.log(level, line);
}

/// Limits the number of lines a second, by the times of the records and not by a clock.
class RateLimit {
 public:
  explicit RateLimit(int lines) noexcept : lines_(lines) {}

  /// Whether one more line may be logged at `now`; else it is counted. The first line opens a
  /// window of a second.
  [[nodiscard]] bool admit(MonoTime now) noexcept {
    if (!open_) open(now);
    if (admitted_++ < lines_) return true;
    ++refused_;
    return false;
  }
  /// Counts lines that are not even tried.
  void refuse(std::int64_t lines) noexcept { refused_ += lines; }
  [[nodiscard]] bool over(MonoTime now) const noexcept { return open_ && now - start_ >= 1_s; }
  [[nodiscard]] Duration age(MonoTime now) const noexcept { return now - start_; }
  /// Ends the window and returns how many lines were refused. Where there were some, what sums them
  /// up is the first line of the next window.
  [[nodiscard]] std::int64_t close(MonoTime now) noexcept {
    open_ = false;
    if (refused_ == 0) return 0;
    open(now);
    ++admitted_;
    return std::exchange(refused_, 0);
  }

 private:
  void open(MonoTime now) noexcept {
    open_ = true;
    start_ = now;
    admitted_ = 0;
  }

  int lines_;
  int admitted_ = 0;
  std::int64_t refused_ = 0;
  bool open_ = false;
  MonoTime start_{};
};

}  // namespace hild::record
