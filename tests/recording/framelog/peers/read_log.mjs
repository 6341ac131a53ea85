// SPDX-License-Identifier: Apache-2.0
// Reads a log with @mcap/core, front to back and by its index, every checksum verified, decodes its
// messages with protobufjs, and prints what it found as JSON.
import { open } from "node:fs/promises";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { decompress } from "fzstd";
import protobuf from "protobufjs";
import descriptor from "protobufjs/ext/descriptor/index.js";

const file = await open(process.argv[2]);
const bytes = (await file.stat()).size;
const found = { topics: {}, attachments: {}, metadata: {}, chunks: 0, indexed: {} };

const schemas = new Map();
const channels = new Map();

function decoderOf(channel) {
  const schema = schemas.get(channel.schemaId);
  if (channel.messageEncoding !== "protobuf") return undefined;
  const set = descriptor.FileDescriptorSet.decode(schema.data);
  const type = protobuf.Root.fromDescriptor(set).lookupType(schema.name);
  // What a message does not hold stands there by its default, a message within it as null.
  const options = { longs: Number, enums: String, bytes: String, defaults: true };
  return (data) => type.toObject(type.decode(data), options);
}

function take(record) {
  switch (record.type) {
    case "Header":
      found.library = record.library;
      break;
    case "Schema":
      schemas.set(record.id, record);
      break;
    case "Channel":
      if (channels.has(record.id)) break;
      channels.set(record.id, { ...record, decode: decoderOf(record) });
      found.topics[record.topic] = {
        encoding: record.messageEncoding,
        metadata: Object.fromEntries(record.metadata),
        count: 0,
        bytes: 0,
      };
      break;
    case "Message": {
      const channel = channels.get(record.channelId);
      const topic = found.topics[channel.topic];
      topic.count += 1;
      topic.bytes += record.data.byteLength;
      if (channel.decode) {
        topic.last = channel.decode(record.data);
        topic.first ??= topic.last;
        topic.last_at = String(record.logTime); // a number of JavaScript is not as exact
        topic.first_at ??= topic.last_at;
      }
      break;
    }
    case "Chunk":
      found.chunks += 1;
      break;
    case "Attachment":
      found.attachments[record.name] = Buffer.from(record.data).toString("utf8");
      break;
    case "Metadata":
      found.metadata[record.name] = Object.fromEntries(record.metadata);
      break;
    case "Footer":
      found.footer = true;
      break;
  }
}

const decompressHandlers = { zstd: (stored, size) => decompress(stored, new Uint8Array(Number(size))) };
const reader = new McapStreamReader({ validateCrcs: true, includeChunks: true, decompressHandlers });
const block = Buffer.alloc(1 << 20);
for (let at = 0; at < bytes; ) {
  const { bytesRead } = await file.read(block, 0, block.length, at);
  reader.append(block.subarray(0, bytesRead));
  at += bytesRead;
  for (let record; (record = reader.nextRecord()); ) take(record);
}
found.done = reader.done();

const readable = {
  size: async () => BigInt(bytes),
  read: async (offset, length) => {
    const buffer = new Uint8Array(Number(length));
    await file.read(buffer, 0, buffer.length, Number(offset));
    return buffer;
  },
};
const indexed = await McapIndexedReader.Initialize({ readable, decompressHandlers });
let last = 0n;
for await (const message of indexed.readMessages({ validateCrcs: true })) {
  const topic = indexed.channelsById.get(message.channelId).topic;
  found.indexed[topic] = (found.indexed[topic] ?? 0) + 1;
  if (message.logTime < last) throw new Error("messages out of order");
  last = message.logTime;
}
found.statistics = {
  messages: Number(indexed.statistics.messageCount),
  chunks: indexed.statistics.chunkCount,
  attachments: indexed.statistics.attachmentCount,
  metadata: indexed.statistics.metadataCount,
};
console.log(JSON.stringify(found, (key, value) => (typeof value === "bigint" ? Number(value) : value)));
