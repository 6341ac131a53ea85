// SPDX-License-Identifier: Apache-2.0
#include "recording/mcap/records.hpp"

#include "recording/mcap/crc32.hpp"
#include "recording/mcap/decoder.hpp"
#include "recording/mcap/encoder.hpp"

namespace hild::mcap {
namespace {

template <class Body>
void append_record(std::string& out, Opcode opcode, Body body) {
  Encoder to(out);
  const std::size_t at = to.begin_record(opcode);
  body(to);
  to.end_record(at);
}

}  // namespace

void append(std::string& out, const Header& header) {
  append_record(out, Opcode::header, [&](Encoder& to) {
    to.text(header.profile);
    to.text(header.library);
  });
}

void append(std::string& out, const Schema& schema) {
  append_record(out, Opcode::schema, [&](Encoder& to) {
    to.number(schema.id);
    to.text(schema.name);
    to.text(schema.encoding);
    to.text(schema.data);
  });
}

void append(std::string& out, const Channel& channel) {
  append_record(out, Opcode::channel, [&](Encoder& to) {
    to.number(channel.id);
    to.number(channel.schema);
    to.text(channel.topic);
    to.text(channel.encoding);
    to.map(channel.metadata);
  });
}

void append(std::string& out, const Attachment& attachment) {
  const std::size_t content = out.size() + head_bytes;
  append_record(out, Opcode::attachment, [&](Encoder& to) {
    to.number(attachment.log_time);
    to.number(attachment.create_time);
    to.text(attachment.name);
    to.text(attachment.media_type);
    to.number(std::uint64_t{attachment.data.size()});
    out += attachment.data;
    to.number(crc32(bytes_of(out).subspan(content)));
  });
}

void append(std::string& out, const Metadata& metadata) {
  append_record(out, Opcode::metadata, [&](Encoder& to) {
    to.text(metadata.name);
    to.map(metadata.values);
  });
}

std::optional<Header> read_header(std::span<const std::byte> content) {
  Decoder from(content);
  Header header;
  header.profile = from.text();
  header.library = from.text();
  if (!from.good()) return std::nullopt;
  return header;
}

std::optional<Schema> read_schema(std::span<const std::byte> content) {
  Decoder from(content);
  Schema schema;
  schema.id = from.number<std::uint16_t>();
  schema.name = from.text();
  schema.encoding = from.text();
  schema.data = from.text();
  if (!from.good() || schema.id == 0) return std::nullopt;
  return schema;
}

std::optional<Channel> read_channel(std::span<const std::byte> content) {
  Decoder from(content);
  Channel channel;
  channel.id = from.number<std::uint16_t>();
  channel.schema = from.number<std::uint16_t>();
  channel.topic = from.text();
  channel.encoding = from.text();
  channel.metadata = from.map();
  if (!from.good()) return std::nullopt;
  return channel;
}

std::optional<Message> read_message(std::span<const std::byte> content) {
  Decoder from(content);
  Message message;
  message.channel = from.number<std::uint16_t>();
  message.sequence = from.number<std::uint32_t>();
  message.log_time = from.number<std::uint64_t>();
  message.publish_time = from.number<std::uint64_t>();
  message.data = from.rest();
  if (!from.good()) return std::nullopt;
  return message;
}

std::optional<Metadata> read_metadata(std::span<const std::byte> content) {
  Decoder from(content);
  Metadata metadata;
  metadata.name = from.text();
  metadata.values = from.map();
  if (!from.good()) return std::nullopt;
  return metadata;
}

std::optional<Attachment> read_attachment(std::span<const std::byte> content, bool& intact) {
  Decoder from(content);
  Attachment attachment;
  attachment.log_time = from.number<std::uint64_t>();
  attachment.create_time = from.number<std::uint64_t>();
  attachment.name = from.text();
  attachment.media_type = from.text();
  attachment.data = from.long_text();
  const std::size_t checked = content.size() - from.left();
  const auto crc = from.number<std::uint32_t>();
  if (!from.good()) return std::nullopt;
  intact = crc == 0 || crc == crc32(content.first(checked));
  return attachment;
}

std::optional<ChunkHead> read_chunk_head(std::span<const std::byte> content) {
  Decoder from(content);
  ChunkHead head;
  head.start = from.number<std::uint64_t>();
  head.end = from.number<std::uint64_t>();
  head.uncompressed_bytes = from.number<std::uint64_t>();
  head.crc = from.number<std::uint32_t>();
  head.compression = from.text();
  head.bytes = from.number<std::uint64_t>();
  if (!from.good()) return std::nullopt;
  return head;
}

}  // namespace hild::mcap
