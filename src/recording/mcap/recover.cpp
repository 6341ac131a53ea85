// SPDX-License-Identifier: Apache-2.0
#include "recording/mcap/recover.hpp"

#include "recording/mcap/writer.hpp"

namespace hild::mcap {
namespace {

/// Writes what it is shown, chunk for chunk. Its first error is kept, and ends the scan.
class Rewriter final : public Visitor {
 public:
  Rewriter(Output& to, const std::function<bool(std::uint64_t)>& go_on)
      : writer_(to), go_on_(go_on) {}

  void header(const Header& header) override {
    if (!std::exchange(begun_, true)) keep(writer_.begin(header));
  }
  void schema(const Schema& schema) override { writer_.declare(schema); }
  void channel(const Channel& channel) override { writer_.declare(channel); }
  void message(const Message& message) override {
    chunk_.add(message);
    if (chunk_.bytes() >= largest) chunk_end();
  }
  void chunk_end() override {
    begin();
    const Chunk* const chunks[] = {&chunk_};
    keep(writer_.write(chunks, level));
    chunk_.clear();
  }
  void attachment(const Attachment& attachment) override {
    begin();
    keep(writer_.write(attachment));
  }
  void metadata(const Metadata& metadata) override {
    begin();
    keep(writer_.write(metadata));
  }
  bool go_on(std::uint64_t offset) override { return good_ && (!go_on_ || go_on_(offset)); }

  Result<void> finish() {
    chunk_end();
    if (good_) keep(writer_.finish());
    return good_;
  }

 private:
  static constexpr std::size_t largest = 16U << 20U;
  static constexpr int level = 3;  // of compression: not in a hurry

  void begin() {
    if (!begun_) header({.profile = "", .library = "recovered"});
  }
  void keep(const Result<void>& done) {
    if (!done && good_) good_ = done;
  }

  Writer writer_;
  const std::function<bool(std::uint64_t)>& go_on_;
  Chunk chunk_;
  Result<void> good_;
  bool begun_ = false;
};

}  // namespace

Result<Scan> recover(ByteSource& from, Output& to,
                     const std::function<bool(std::uint64_t)>& go_on) {
  Rewriter rewriter(to, go_on);
  auto scanned = scan(from, rewriter);
  if (!scanned) return scanned;
  if (auto finished = rewriter.finish(); !finished) return tl::make_unexpected(finished.error());
  if (auto synced = to.sync(); !synced) return tl::make_unexpected(synced.error());
  return scanned;
}

}  // namespace hild::mcap
