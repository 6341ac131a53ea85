// SPDX-License-Identifier: Apache-2.0
/// \file
/// Any bytes at all, sent by a client, are answered: nothing crashes, nothing is thrown beyond the
/// dispatcher, and what is answered is JSON. A run stands behind it whose loop never starts.
#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>
#include <cstdint>
#include <cstdlib>

#include "control/rpc/line_buffer.hpp"
#include "served_motor.hpp"

namespace {

class Reader final : public hild::server::Client {
 public:
  void answer(std::string text) override {
    --owed;
    if (!text.empty()) check(text);
  }
  [[nodiscard]] bool can_subscribe() const override { return true; }
  [[nodiscard]] bool keeps_up() const override { return true; }
  void notify(std::string text) override { check(text); }
  void finish() override {}
  void close() override {}

  int owed = 0;

 private:
  static void check(const std::string& text) {
    boost::json::error_code failure;
    boost::json::parse(text, failure);
    if (failure) std::abort();
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hild::fuzz::ServedMotor motor;
  const auto reader = std::make_shared<Reader>();
  hild::server::TokenBucket bucket(1e9);
  hild::rpc::LineBuffer lines(2048);
  // Two pieces, to cut a line somewhere.
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const auto piece : {bytes.substr(0, size / 3), bytes.substr(size / 3)}) {
    lines.append(piece);
    while (const auto line = lines.next()) {
      if (line->too_long) continue;
      ++reader->owed;
      hild::server::serve(
          motor.context,
          hild::server::take_in(line->text, {.message = 2048, .depth = 16}, true, bucket), reader,
          motor.turns, [] {});
    }
  }
  motor.io.poll();  // what is left of batches
  motor.subscriptions.send();
  motor.transactions.close();
  if (reader->owed != 0) std::abort();  // each text is answered once
  return 0;
}
