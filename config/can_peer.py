#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The controller of config/can.yaml: a PI controller of speed on the bus vcan0, until it is interrupted."""
import socket
import struct

bus = socket.socket(socket.AF_CAN, socket.SOCK_RAW, socket.CAN_RAW)
bus.bind(("vcan0",))


def crc8(data):  # SAE J1850
    crc = 0xFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ 0x1D) & 0xFF if crc & 0x80 else crc << 1
    return crc ^ 0xFF


alive, integral = 0, 0.0
print("listens on vcan0", flush=True)
while True:
    identifier, _, data = struct.unpack("<IB3x8s", bus.recv(16))
    if identifier != 256:                                        # PlantStatus
        continue
    error = 100.0 - 0.1 * struct.unpack_from("<h", data)[0]      # rad/s
    integral += error * 0.005
    voltage = min(max(0.05 * error + 1.0 * integral, 0.0), 24.0)
    payload = struct.pack("<HB", round(1000 * voltage), alive)
    bus.send(struct.pack("<IB3x8s", 512, 4, payload + bytes([crc8(payload)])))  # Command
    alive = (alive + 1) % 16
