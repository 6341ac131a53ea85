// SPDX-License-Identifier: Apache-2.0
#include "control/rpc/line_buffer.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hild::rpc {
namespace {

/// "text", or "!" for a line that was too long.
std::vector<std::string> lines_of(LineBuffer& buffer) {
  std::vector<std::string> all;
  while (const auto line = buffer.next()) {
    all.push_back(line->too_long ? "!" : std::string(line->text));
  }
  return all;
}

using Lines = std::vector<std::string>;

TEST(LineBuffer, HandsOutWholeLinesHoweverTheyArrive) {
  const std::string text = "{\"a\":1}\r\n\n  \nsecond\nthird";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    LineBuffer buffer(100);
    Lines all;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      buffer.append(std::string_view(text).substr(at, piece));
      for (auto& line : lines_of(buffer)) all.push_back(std::move(line));
    }
    EXPECT_EQ(all, (Lines{"{\"a\":1}\r", "second"})) << "pieces of " << piece;
    buffer.append("\n");
    EXPECT_EQ(lines_of(buffer), Lines{"third"});
  }
}

TEST(LineBuffer, TellsOnceOfALineThatIsTooLongAndGoesOnAfterIt) {
  const std::string text = "12345\n123456\nab\n" + std::string(1000, 'x') + "\ncd\n";
  for (const std::size_t piece : {1U, 3U, 7U, 64U, 4096U}) {
    LineBuffer buffer(5);
    Lines all;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      buffer.append(std::string_view(text).substr(at, piece));
      for (auto& line : lines_of(buffer)) all.push_back(std::move(line));
    }
    EXPECT_EQ(all, (Lines{"12345", "!", "ab", "!", "cd"})) << "pieces of " << piece;
  }
}

}  // namespace
}  // namespace hild::rpc
