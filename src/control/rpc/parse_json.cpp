// SPDX-License-Identifier: Apache-2.0
#include "control/rpc/parse_json.hpp"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <charconv>
#include <string>
#include <vector>

namespace hild::rpc {
namespace {

/// Builds the value from the events of the parser, and looks after what the parser does not.
class Builder {
 public:
  static constexpr std::size_t max_array_size = SIZE_MAX;
  static constexpr std::size_t max_object_size = SIZE_MAX;
  static constexpr std::size_t max_string_size = SIZE_MAX;
  static constexpr std::size_t max_key_size = SIZE_MAX;

  bool on_document_begin(json::error_code& /*ec*/) { return stack_.reset(), true; }
  bool on_document_end(json::error_code& /*ec*/) { return true; }
  bool on_array_begin(json::error_code& /*ec*/) { return true; }
  bool on_array_end(std::size_t n, json::error_code& /*ec*/) { return stack_.push_array(n), true; }
  bool on_object_begin(json::error_code& /*ec*/) { return true; }
  bool on_object_end(std::size_t n, json::error_code& ec) {
    // Its keys are the last n: those of objects within it were taken off before.
    const auto first = keys_.end() - static_cast<std::ptrdiff_t>(n);
    std::sort(first, keys_.end());
    const auto twice = std::adjacent_find(first, keys_.end());
    if (twice != keys_.end()) return refuse(ec, "the key \"" + *twice + "\" is there twice");
    keys_.erase(first, keys_.end());
    stack_.push_object(n);
    return true;
  }
  bool on_string_part(json::string_view s, std::size_t /*n*/, json::error_code& /*ec*/) {
    return stack_.push_chars(s), true;
  }
  bool on_string(json::string_view s, std::size_t /*n*/, json::error_code& /*ec*/) {
    return stack_.push_string(s), true;
  }
  bool on_key_part(json::string_view s, std::size_t /*n*/, json::error_code& /*ec*/) {
    key_ += std::string_view(s);
    stack_.push_chars(s);
    return true;
  }
  bool on_key(json::string_view s, std::size_t /*n*/, json::error_code& /*ec*/) {
    key_ += std::string_view(s);
    keys_.push_back(std::exchange(key_, {}));
    stack_.push_key(s);
    return true;
  }
  bool on_number_part(json::string_view s, json::error_code& /*ec*/) {
    number_ += std::string_view(s);
    return true;
  }
  bool on_int64(std::int64_t i, json::string_view /*s*/, json::error_code& /*ec*/) {
    number_.clear();
    stack_.push_int64(i);
    return true;
  }
  bool on_uint64(std::uint64_t u, json::string_view /*s*/, json::error_code& /*ec*/) {
    number_.clear();
    stack_.push_uint64(u);
    return true;
  }
  bool on_double(double rough, json::string_view s, json::error_code& ec) {
    number_ += std::string_view(s);
    double exact = 0;
    const char* const end = number_.data() + number_.size();
    const auto [read, error] = std::from_chars(number_.data(), end, exact);
    // What is too small for a double is 0, as it is for the parser.
    const bool tiny = error == std::errc::result_out_of_range && std::abs(rough) < 1;
    if (tiny) exact = 0;
    if (!tiny && (error != std::errc() || read != end)) {
      return refuse(ec, "a number is beyond the range of a double");
    }
    number_.clear();
    stack_.push_double(exact);
    return true;
  }
  bool on_bool(bool b, json::error_code& /*ec*/) { return stack_.push_bool(b), true; }
  bool on_null(json::error_code& /*ec*/) { return stack_.push_null(), true; }
  bool on_comment_part(json::string_view /*s*/, json::error_code& /*ec*/) { return true; }
  bool on_comment(json::string_view /*s*/, json::error_code& /*ec*/) { return true; }

  [[nodiscard]] json::value release() { return stack_.release(); }
  /// Why on_...() refused; empty when the parser itself did.
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  bool refuse(json::error_code& ec, std::string why) {
    why_ = std::move(why);
    ec = json::error::syntax;
    return false;
  }

  json::value_stack stack_;
  std::vector<std::string> keys_;  // of the objects that are open
  std::string key_;
  std::string number_;
  std::string why_;
};

}  // namespace

Result<json::value> parse_json(std::string_view text, const Limits& limits) {
  if (text.size() > limits.message) {
    return fail("{} bytes, at most {} are taken", text.size(), limits.message);
  }
  json::parse_options options;
  options.max_depth = limits.depth;
  json::basic_parser<Builder> parser(options);
  json::error_code ec;
  const std::size_t read = parser.write_some(false, text.data(), text.size(), ec);
  const Builder& builder = parser.handler();
  if (!builder.why().empty()) return fail("{}, before byte {}", builder.why(), read);
  if (ec == json::error::too_deep) return fail("nested deeper than {} levels", limits.depth);
  if (ec) return fail("{} at byte {}", ec.message(), read);
  if (read < text.size()) return fail("more follows after the end of it, at byte {}", read);
  return parser.handler().release();
}

}  // namespace hild::rpc
