// SPDX-License-Identifier: Apache-2.0
#include "model/calculated/formula.hpp"

#include <muParser.h>

#include <numbers>

namespace hild::model {

// Names may be those of signals, as `motor.speed` or `x[2]`. The constants are exact here: pi of
// muParser 2.3.3 has 13 digits.
class Formula::Parser : public mu::Parser {
 public:
  Parser() {
    DefineNameChars("0123456789_.[]abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    ClearConst();
    DefineConst("_pi", std::numbers::pi);
    DefineConst("_e", std::numbers::e);
  }
};

namespace {

// Reading and computing a formula for the first time throws where it is none.
template <class Do>
auto guarded(Do compute) -> Result<decltype(compute())> {
  try {
    return compute();
  } catch (const mu::ParserError& error) {
    return fail("{}", error.GetMsg());
  }
}

bool assigns(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    if (i + 1 < text.size() && text[i + 1] == '=') {
      ++i;
      continue;
    }
    const char before = i > 0 ? text[i - 1] : ' ';
    if (before != '<' && before != '>' && before != '!') return true;
  }
  return false;
}

Result<void> check_text(const std::string& text) {
  if (text.size() > Formula::longest) {
    return fail("it has {} characters, expected at most {}", text.size(), Formula::longest);
  }
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x7f || c < ' ')
      return fail("it has characters that are not ASCII");
    if (c == '"') return fail("it has a text in quotation marks, expected numbers alone");
  }
  if (assigns(text)) return fail("it assigns by `=`; equality is `==`");
  return {};
}

}  // namespace

Formula::Formula(std::unique_ptr<Parser> parser, std::vector<double> numbers)
    : parser_(std::move(parser)), numbers_(std::move(numbers)) {}
Formula::~Formula() = default;

Result<std::vector<std::string>> Formula::names_in(const std::string& text) {
  if (auto good = check_text(text); !good) return tl::make_unexpected(good.error());
  return guarded([&] {
    Parser parser;
    parser.SetExpr(text);
    std::vector<std::string> names;
    const auto& used = parser.GetUsedVar();
    names.reserve(used.size());
    for (const auto& [name, address] : used) names.push_back(name);
    return names;
  });
}

Result<std::unique_ptr<Formula>> Formula::make(const std::string& text,
                                               const std::vector<std::string>& names) {
  if (auto good = check_text(text); !good) return tl::make_unexpected(good.error());
  return guarded([&] {
    std::vector<double> numbers(names.size(), 1.0);
    auto parser = std::make_unique<Parser>();
    for (std::size_t i = 0; i < names.size(); ++i) parser->DefineVar(names[i], &numbers[i]);
    parser->SetExpr(text);
    // Compiled by this first time; whatever is wrong is told now, and never later.
    int results = 0;
    parser->Eval(results);
    if (results != 1) throw mu::ParserError("it has several values, separated by commas");
    static_cast<void>(parser->Eval());
    return std::unique_ptr<Formula>(new Formula(std::move(parser), std::move(numbers)));
  });
}

double Formula::value() const noexcept { return parser_->Eval(); }

}  // namespace hild::model
