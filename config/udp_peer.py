# SPDX-License-Identifier: Apache-2.0
"""The other end of config/udp.yaml: a PI controller of the motor's speed, which takes what hild puts out and
sends back a voltage. Anything that can send a packet could stand here."""
import socket
import struct

wire = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
wire.bind(("127.0.0.1", 5001))
number, integral, before = 0, 0.0, 0.0
while True:
    packet, hild = wire.recvfrom(64)
    _, time, speed, current = struct.unpack("<Idff", packet)      # transmit:
    error = 100.0 - speed                                         # rad/s
    integral += error * min(max(time - before, 0.0), 0.01)
    voltage = min(max(0.05 * error + 0.3 * integral, 0.0), 24.0)
    wire.sendto(struct.pack("<If", number, voltage), hild)        # receive:
    number, before = (number + 1) % 2**32, time
