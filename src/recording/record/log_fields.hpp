// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fields of log lines: what a line says in words, again in a form that programs can search for.
/// They belong to the lines that are logged on this thread while the object lives; sinks that
/// cannot keep fields (a terminal) ignore them.
#pragma once

#include <spdlog/logger.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hild::record {

/// A field. Its name has upper case letters, digits and underscores, beginning with a letter.
struct LogField {
  LogField(std::string_view of, std::string_view text) : name(of), value(text) {}
  LogField(std::string_view of, std::int64_t number) : name(of), value(std::to_string(number)) {}

  std::string_view name;
  std::string value;
};

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

}  // namespace hild::record
