import { writeSocketAddress } from './srt-address.ts';

/** Claims for which libsrt allocates memory before the caller is known. */
export const handshakeLimits = {
  /** libsrt's own least. */
  leastWindow: 32,
  /** Packets in flight: twelve octets for each, twice. Callers have 8192 or 25600; this is for the fastest links. */
  mostWindow: 131_072,
  /** Below what every network carries, libsrt's own answers no longer fit. */
  leastPacketBytes: 576,
  mostExtensions: 12,
} as const;

/** A socket's filter sees a datagram from its UDP header on. */
const udpHeader = 8;
/**
 * Offsets of the handshake fields (SRT, 3.2.1). Each extension is `type:16 words:16` and its words.
 * ```
 * 0 control:1 type:15 …   28 MTU:32   32 flow window:32   36 handshake type:32   64 extensions
 * ```
 */
const at = { kind: udpHeader, packetBytes: udpHeader + 28, window: udpHeader + 32, extensions: udpHeader + 64 };
const handshakeKind = 0x8000_0000;
/** Error correction: libsrt takes the caller's plan for it, of any size. */
const filterExtension = 7;

/** Offset from which the filter reads the IP header. */
const ipHeader = 0xfff0_0000;
const ip = { version: ipHeader, v4Source: ipHeader + 12, v6Source: ipHeader + 8 };

const code = {
  load: 0x20,
  loadByte: 0x30,
  loadLength: 0x80,
  loadHalfAtX: 0x48,
  setX: 0x01,
  moveToX: 0x07,
  and: 0x54,
  shiftLeft: 0x64,
  add: 0x04,
  addX: 0x0c,
  jump: 0x05,
  jumpIfEqual: 0x15,
  jumpIfAtLeast: 0x35,
  jumpIfMore: 0x25,
  jumpIfMoreThanX: 0x2d,
  end: 0x06,
} as const;

/** A number is so many steps that are left out. */
type Goal = 'next' | 'pass' | 'drop' | number;
interface Step {
  readonly code: number;
  readonly value: number;
  readonly then: Goal;
  readonly otherwise: Goal;
}

const step = (code: number, value = 0, then: Goal = 'next', otherwise: Goal = 'next'): Step => ({
  code,
  value,
  then,
  otherwise,
});

/**
 * A program for the kernel's packet filter that drops SRT handshakes which claim more than the limits, are cut off, or come
 * from somebody who is blocked, and passes everything else. A load beyond the datagram's end drops it.
 */
export function handshakeFilter(blocked: readonly string[] = []): Buffer {
  const { leastWindow, mostWindow, leastPacketBytes, mostExtensions } = handshakeLimits;
  const steps = [
    step(code.load, at.kind),
    step(code.and, 0xffff_0000),
    step(code.jumpIfEqual, handshakeKind, 'next', 'pass'),
    step(code.load, at.packetBytes),
    step(code.jumpIfAtLeast, leastPacketBytes, 'next', 'drop'),
    step(code.load, at.window),
    step(code.jumpIfAtLeast, leastWindow, 'next', 'drop'),
    step(code.jumpIfMore, mostWindow, 'drop', 'next'),
    ...dropSources(blocked),
    step(code.setX, at.extensions),
    ...Array.from({ length: mostExtensions }, () => nextExtension).flat(),
    step(code.loadLength),
    step(code.jumpIfMoreThanX, 0, 'drop', 'pass'),
  ];
  return assembled(steps);
}

/** IPv4 addresses one by one, of IPv6 the whole /64. */
function dropSources(addresses: readonly string[]): Step[] {
  if (addresses.length === 0) return [];
  const headers = addresses.map((address) => writeSocketAddress(address, 0));
  const v4 = headers.filter(({ length }) => length === 16).map((header) => header.readUInt32BE(4));
  const v6 = headers
    .filter(({ length }) => length > 16)
    .map((header) => [header.readUInt32BE(8), header.readUInt32BE(12)]);
  const ofV6 = v6.flatMap(([high, low]) => [
    step(code.load, ip.v6Source),
    step(code.jumpIfEqual, high, 'next', 2),
    step(code.load, ip.v6Source + 4),
    step(code.jumpIfEqual, low, 'drop', 'next'),
  ]);
  const ofV4 = [
    step(code.load, ip.v4Source),
    ...v4.map((source) => step(code.jumpIfEqual, source, 'drop', 'next')),
    step(code.jump, ofV6.length),
  ];
  const versions = [
    step(code.loadByte, ip.version),
    step(code.and, 0xf0),
    step(code.jumpIfEqual, 0x40, 'next', ofV4.length),
  ];
  return [...versions, ...ofV4, ...ofV6];
}

/** X is where the extension begins, then where the one after it does. */
const nextExtension: readonly Step[] = [
  step(code.loadLength),
  step(code.jumpIfMoreThanX, 0, 'next', 'pass'),
  step(code.loadHalfAtX, 0),
  step(code.jumpIfEqual, filterExtension, 'drop', 'next'),
  step(code.loadHalfAtX, 2),
  step(code.shiftLeft, 2),
  step(code.add, 4),
  step(code.addX),
  step(code.moveToX),
];

/** `code:16 then:8 otherwise:8 value:32` in the machine's own order; jumps count steps. */
function assembled(steps: readonly Step[]): Buffer {
  const goals = { pass: steps.length, drop: steps.length + 1 };
  const program = Buffer.alloc((steps.length + 2) * 8);
  const distance = (goal: Goal, from: number) => {
    if (typeof goal === 'number') return goal;
    return goal === 'next' ? 0 : goals[goal] - from - 1;
  };
  for (const [n, { code, value, then, otherwise }] of steps.entries()) {
    program.writeUInt16LE(code, n * 8);
    program.writeUInt8(distance(then, n), n * 8 + 2);
    program.writeUInt8(distance(otherwise, n), n * 8 + 3);
    program.writeUInt32LE(value, n * 8 + 4);
  }
  // Accepted packets pass in full length.
  program.writeUInt16LE(code.end, goals.pass * 8);
  program.writeUInt32LE(0xffff, goals.pass * 8 + 4);
  program.writeUInt16LE(code.end, goals.drop * 8);
  return program;
}
