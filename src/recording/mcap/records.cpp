// SPDX-License-Identifier: Apache-2.0
#include "recording/mcap/records.hpp"

#include "recording/mcap/fields.hpp"

namespace hild::mcap {

void append(std::string& out, const Header& h) {
  Encoder(out).record(Opcode::header, h.profile, h.library);
}

void append(std::string& out, const Schema& s) {
  Encoder(out).record(Opcode::schema, s.id, s.name, s.encoding, s.data);
}

void append(std::string& out, const Channel& c) {
  Encoder(out).record(Opcode::channel, c.id, c.schema, c.topic, c.encoding, c.metadata);
}

void append(std::string& out, const Attachment& a) {
  const std::size_t content = out.size() + head_bytes;
  Encoder to(out);
  to.begin_record(Opcode::attachment, a.data.size() + sizeof(std::uint32_t), a.log_time,
                  a.create_time, a.name, a.media_type, std::uint64_t{a.data.size()});
  out += a.data;
  to.add(crc32(bytes_of(out).subspan(content)));
}

void append(std::string& out, const Metadata& m) {
  Encoder(out).record(Opcode::metadata, m.name, m.values);
}

bool read(Bytes content, Header& h) { return Decoder(content).take(h.profile, h.library); }

bool read(Bytes content, Schema& s) {
  return Decoder(content).take(s.id, s.name, s.encoding, s.data) && s.id != 0;
}

bool read(Bytes content, Channel& c) {
  return Decoder(content).take(c.id, c.schema, c.topic, c.encoding, c.metadata);
}

bool read(Bytes content, Message& m) {
  Decoder from(content);
  from.take(m.channel, m.sequence, m.log_time, m.publish_time);
  m.data = from.rest();
  return from.good();
}

bool read(Bytes content, Metadata& m) { return Decoder(content).take(m.name, m.values); }

bool read(Bytes content, Attachment& a, bool& intact) {
  Decoder from(content);
  from.take(a.log_time, a.create_time, a.name, a.media_type);
  a.data = from.text();
  const std::size_t checked = content.size() - from.left();
  const auto crc = from.number<std::uint32_t>();
  intact = crc == 0 || crc == crc32(content.first(checked));
  return from.good();
}

bool read(Bytes content, ChunkHead& h) {
  return Decoder(content).take(h.start, h.end, h.uncompressed_bytes, h.crc, h.compression, h.bytes);
}

}  // namespace hild::mcap
