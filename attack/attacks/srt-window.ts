import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Attack } from '../attack.ts';

const callers = 20;
const window = 60_000_000;
const request = { induction: 1, conclusion: -1 } as const;

/** A handshake packet of SRT: a control header of 16 bytes and a body of 48. */
function handshake(type: number, cookie: number, socketId: number): Buffer {
  const isConclusion = type === request.conclusion;
  const packet = Buffer.alloc(64);
  packet.writeUInt32BE(0x8000_0000, 0);
  packet.writeUInt32BE(isConclusion ? 5 : 4, 16);
  // Encryption (none) and extensions: those of a caller with a request of its own, else what an induction says.
  packet.writeUInt16BE(isConclusion ? 1 : 2, 22);
  packet.writeUInt32BE(1, 24);
  packet.writeUInt32BE(1500, 28);
  packet.writeUInt32BE(window, 32);
  packet.writeInt32BE(type, 36);
  packet.writeUInt32BE(socketId, 40);
  packet.writeUInt32BE(cookie, 44);
  packet.set([1, 0, 0, 127], 48);
  if (!isConclusion) return packet;
  const extension = Buffer.alloc(16);
  extension.writeUInt16BE(1, 0);
  extension.writeUInt16BE(3, 2);
  extension.writeUInt32BE(0x010501, 4);
  extension.writeUInt32BE(0xbf, 8);
  extension.writeUInt32BE(0x0078_0078, 12);
  return Buffer.concat([packet, extension]);
}

async function call(port: number, socketId: number): Promise<boolean> {
  const socket = createSocket('udp4');
  try {
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const answer = answerOf(socket);
    socket.send(handshake(request.induction, 0, socketId), port, '127.0.0.1');
    const induction = await answer;
    if (!induction || induction.length < 64) return false;
    const cookie = induction.readUInt32BE(44);
    const conclusion = answerOf(socket);
    socket.send(handshake(request.conclusion, cookie, socketId), port, '127.0.0.1');
    // An accepting answer repeats the request; a refusing one carries a code above 1000.
    return (await conclusion)?.readInt32BE(36) === request.conclusion;
  } finally {
    socket.close();
  }
}

async function answerOf(socket: Socket): Promise<Buffer | undefined> {
  const signal = AbortSignal.timeout(500);
  return once(socket, 'message', { signal }).then(
    ([message]: Buffer[]) => message,
    () => undefined,
  );
}

export const srtWindow: Attack = {
  id: 'S33',
  title: `${callers} SRT callers that claim a flow window of 60 million packets`,
  growthMb: 10,
  async run({ live }) {
    let accepted = 0;
    for (let n = 1; n <= callers; n++) if (await call(live.weir.srtPort, n)) accepted += 1;
    return `${accepted} of ${callers} accepted`;
  },
};
