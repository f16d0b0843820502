import { errorMessage } from '@weir/plane/error-message';
import type { KoffiFunc } from 'koffi';
import { loadNativeCalls } from '../../../../delivery/native-calls.ts';
import { usualLibraries } from '../../srt-library-file.ts';
import { type FilteredSocket, filteredSockets } from './filtered-socket.ts';
import { readSocketAddress } from './srt-address.ts';
import { perfFields, type SrtAgreement, type SrtFacts, type SrtPerf, srtAgreement, srtFacts } from './srt-facts.ts';

/** Numbers of libsrt's `SRT_SOCKOPT`. */
export const srtOption = {
  sndSyn: 1,
  rcvSyn: 2,
  fc: 4,
  sndBuf: 5,
  rcvBuf: 6,
  reuseAddr: 15,
  maxBw: 16,
  sndData: 19,
  tsbpdMode: 22,
  passphrase: 26,
  pbKeyLen: 27,
  tlPktDrop: 31,
  sndDropDelay: 32,
  connTimeo: 36,
  lossMaxTtl: 42,
  rcvLatency: 43,
  peerLatency: 44,
  minVersion: 45,
  streamId: 46,
  payloadSize: 49,
  ipv6Only: 54,
  peerIdleTimeo: 55,
} as const;

export const srtEvent = { in: 0x1, out: 0x4, error: 0x8 } as const;

/** "Not now": the send buffer is full, there is nothing to receive. */
const wouldBlock: ReadonlySet<number> = new Set([6000, 6001, 6002, 6003]);

/** Only what libsrt cannot go on after; it would talk to the terminal about every caller otherwise. */
const logCritical = 2;

/**
 * Asks for a decision about a caller: 0 to let it in, a reject reason otherwise. Runs while libsrt receives nothing; options
 * of `caller`, its socket, can be set until it returns.
 */
type JudgeSocket = (streamId: string, address: string, caller: number) => number;

/** The functions of libsrt that we use. A socket is a number; -1 as a result is a failure. */
export interface SrtLibrary {
  readonly version: string;
  createSocket(): number;
  /** Throws with libsrt's words when the option is refused. */
  setOption(socket: number, option: number, value: number | bigint | boolean | string): void;
  streamIdOf(socket: number): string;
  bind(socket: number, address: Buffer): void;
  /** The same, with the kernel dropping handshakes beyond the limits. Throws `NoFilter` where it cannot. */
  bindFiltered(socket: number, address: Buffer, isV6Only: boolean): FilteredSocket;
  addressOf(socket: number): Buffer;
  listen(socket: number, backlog: number, judge: JudgeSocket): void;
  /** The next caller, with its address written to `from`; -1 when there is none. */
  accept(socket: number, from: Buffer): number;
  /** Bytes received, 0 when there is nothing, -1 when the connection is over. `control` is filled: see `sequenceAt`. */
  receive(socket: number, into: Buffer, control: Buffer): number;
  /** Bytes sent, 0 when the buffer is full, -1 when the connection is over. */
  send(socket: number, message: Buffer): number;
  facts(socket: number): SrtFacts | undefined;
  agreementOf(socket: number): SrtAgreement;
  /** Packets sent and not yet confirmed. */
  unconfirmedOf(socket: number): number;
  /** Waits on a thread of its own for the socket to be closed. */
  close(socket: number): Promise<void>;
  createPoll(): number;
  watch(poll: number, socket: number, events: number): void;
  rewatch(poll: number, socket: number, events: number): void;
  unwatch(poll: number, socket: number): void;
  /** Waits on a thread of its own; pairs of socket and events are written to `events`. Resolves to their number. */
  wait(poll: number, events: Buffer, timeoutMs: number): Promise<number>;
  releasePoll(poll: number): void;
}

/** `SRT_MSGCTRL` up to its last number, and where that has the packet's number. */
export const controlBytes = 48;
export const sequenceAt = 24;

const addressBytes = 128;
/** `sockaddr_in6`; libsrt keeps room for it also where it has the smaller one. */
const largestAddress = 28;
const longestStreamId = 513;
type Int = number;

/** libsrt exists once per process. */
const loading = new Map<string, Promise<SrtLibrary>>();

/** Throws when there is no libsrt that can be used. Heavy; everything of it is loaded only here. */
export function loadSrtLibrary(path: string): Promise<SrtLibrary> {
  const known = loading.get(path) ?? load(path);
  loading.set(path, known);
  known.catch(() => loading.delete(path));
  return known;
}

async function load(path: string): Promise<SrtLibrary> {
  const koffi = await loadNativeCalls();
  const shared = firstThatLoads(path === '' ? usualLibraries : [path], (candidate) => koffi.load(candidate));
  const has = <T extends (...args: never[]) => unknown>(text: string) => shared.func(text) as unknown as KoffiFunc<T>;

  const startup = has<() => Int>('int srt_startup()');
  const getVersion = has<() => Int>('uint32_t srt_getversion()');
  const setLogLevel = has<(level: Int) => void>('void srt_setloglevel(int level)');
  const lastError = has<(place: null) => Int>('int srt_getlasterror(void *place)');
  const lastErrorText = has<() => string>('const char *srt_getlasterror_str()');
  const createSocket = has<() => Int>('int srt_create_socket()');
  const setFlag = has<(u: Int, option: Int, value: Buffer, length: Int) => Int>(
    'int srt_setsockflag(int u, int option, const void *value, int length)',
  );
  const getFlag = has<(u: Int, option: Int, value: Buffer, length: Buffer) => Int>(
    'int srt_getsockflag(int u, int option, void *value, void *length)',
  );
  const bind = has<(u: Int, address: Buffer, length: Int) => Int>('int srt_bind(int u, const void *address, int n)');
  const acquire = has<(u: Int, descriptor: Int) => Int>('int srt_bind_acquire(int u, int descriptor)');
  const openFiltered = filteredSockets(koffi);
  const getName = has<(u: Int, address: Buffer, length: Buffer) => Int>(
    'int srt_getsockname(int u, void *address, void *length)',
  );
  const callbackType = koffi.proto(
    'int SrtListenCallback(void *opaque, int ns, int version, const void *peer, const char *streamId)',
  );
  const setListenCallback = has<(u: Int, callback: bigint, opaque: null) => Int>(
    'int srt_listen_callback(int u, void *callback, void *opaque)',
  );
  const setRejectReason = has<(u: Int, reason: Int) => Int>('int srt_setrejectreason(int u, int reason)');
  const listen = has<(u: Int, backlog: Int) => Int>('int srt_listen(int u, int backlog)');
  const accept = has<(u: Int, from: Buffer, length: Buffer) => Int>('int srt_accept(int u, void *from, void *length)');
  const close = has<(u: Int) => Int>('int srt_close(int u)');
  const receive = has<(u: Int, into: Buffer, length: Int, control: Buffer) => Int>(
    'int srt_recvmsg2(int u, void *into, int length, void *control)',
  );
  const send = has<(u: Int, message: Buffer, length: Int, ttl: Int, inOrder: Int) => Int>(
    'int srt_sendmsg(int u, const void *message, int length, int ttl, int inOrder)',
  );
  koffi.struct('SrtPerf', perfFields);
  const stats = has<(u: Int, perf: SrtPerf, clear: Int, instantaneous: Int) => Int>(
    'int srt_bistats(int u, _Out_ SrtPerf *perf, int clear, int instantaneous)',
  );
  const pollCreate = has<() => Int>('int srt_epoll_create()');
  const pollAdd = has<(poll: Int, u: Int, events: Buffer) => Int>(
    'int srt_epoll_add_usock(int poll, int u, const void *events)',
  );
  const pollUpdate = has<(poll: Int, u: Int, events: Buffer) => Int>(
    'int srt_epoll_update_usock(int poll, int u, const void *events)',
  );
  const pollRemove = has<(poll: Int, u: Int) => Int>('int srt_epoll_remove_usock(int poll, int u)');
  const pollWait = has<(poll: Int, events: Buffer, size: Int, timeoutMs: Int) => Int>(
    'int srt_epoll_uwait(int poll, void *events, int size, int64_t timeoutMs)',
  );
  const pollSet = has<(poll: Int, flags: Int) => Int>('int32_t srt_epoll_set(int poll, int32_t flags)');
  const pollRelease = has<(poll: Int) => Int>('int srt_epoll_release(int poll)');

  const length = Buffer.alloc(4);
  const wanted = Buffer.alloc(4);
  const count = Buffer.alloc(4);

  const failed = (what: string) => new Error(`${what}: ${lastErrorText()}`);
  const must = (result: number, what: string) => {
    if (result === -1) throw failed(what);
  };
  const closing = new CloseQueue((socket, done) => close.async(socket, () => done()));
  const isLater = () => wouldBlock.has(lastError(null));

  setLogLevel(logCritical);
  if (startup() < 0) throw failed('libsrt cannot start');

  return {
    version: versionText(getVersion()),
    createSocket() {
      const socket = createSocket();
      must(socket, 'could not create a socket');
      return socket;
    },
    setOption(socket, option, value) {
      const bytes = optionBytes(value);
      must(setFlag(socket, option, bytes, bytes.length), `option ${option}`);
    },
    streamIdOf(socket) {
      const text = Buffer.alloc(longestStreamId);
      length.writeInt32LE(text.length);
      if (getFlag(socket, srtOption.streamId, text, length) === -1) return '';
      return text.toString('utf8', 0, length.readInt32LE());
    },
    bind: (socket, address) => must(bind(socket, address, address.length), 'bind'),
    bindFiltered(socket, address, isV6Only) {
      const filtered = openFiltered(address, isV6Only);
      // From here libsrt owns the descriptor, also on failure.
      must(acquire(socket, filtered.descriptor), 'bind');
      return filtered;
    },
    addressOf(socket) {
      const address = Buffer.alloc(addressBytes);
      length.writeInt32LE(address.length);
      must(getName(socket, address, length), 'address');
      return address;
    },
    listen(socket, backlog, judge) {
      const onCaller = (_opaque: unknown, caller: number, _version: number, peer: unknown, id: string | null) => {
        // A failure must refuse: a callback that throws would return 0, which accepts the caller.
        try {
          const { address } = readSocketAddress(Buffer.from(koffi.decode(peer, 'uint8_t', largestAddress)));
          const reason = judge(id ?? '', address, caller);
          if (reason === 0) return 0;
          setRejectReason(caller, reason);
        } catch {
          setRejectReason(caller, 1500);
        }
        return -1;
      };
      // Never unregistered: libsrt may be inside it on its own thread for as long as it has the socket.
      must(setListenCallback(socket, koffi.register(onCaller, koffi.pointer(callbackType)), null), 'callback');
      must(listen(socket, backlog), 'listen');
    },
    accept(socket, from) {
      length.writeInt32LE(from.length);
      return accept(socket, from, length);
    },
    receive(socket, into, control) {
      const bytes = receive(socket, into, into.length, control);
      if (bytes > 0) return bytes;
      return bytes === -1 && isLater() ? 0 : -1;
    },
    send(socket, message) {
      const bytes = send(socket, message, message.length, -1, 1);
      if (bytes >= 0) return bytes;
      return isLater() ? 0 : -1;
    },
    facts(socket) {
      const perf: SrtPerf = {};
      return stats(socket, perf, 0, 1) === -1 ? undefined : srtFacts(perf);
    },
    agreementOf(socket) {
      const perf: SrtPerf = {};
      stats(socket, perf, 0, 1);
      return srtAgreement(perf);
    },
    unconfirmedOf(socket) {
      length.writeInt32LE(count.length);
      return getFlag(socket, srtOption.sndData, count, length) === -1 ? 0 : count.readInt32LE();
    },
    close: (socket) => closing.close(socket),
    createPoll() {
      const poll = pollCreate();
      must(poll, 'could not create a poll');
      // An empty poll waits like any other.
      must(pollSet(poll, 1), 'poll');
      return poll;
    },
    watch(poll, socket, events) {
      wanted.writeInt32LE(events);
      must(pollAdd(poll, socket, wanted), 'watch');
    },
    rewatch(poll, socket, events) {
      wanted.writeInt32LE(events);
      pollUpdate(poll, socket, wanted);
    },
    unwatch(poll, socket) {
      pollRemove(poll, socket);
    },
    wait: (poll, events, timeoutMs) =>
      new Promise((resolve) => {
        pollWait.async(poll, events, events.length / 8, timeoutMs, (error, ready) => resolve(error ? -1 : ready));
      }),
    releasePoll(poll) {
      pollRelease(poll);
    },
  };
}

function firstThatLoads<T>(paths: readonly string[], load: (path: string) => T): T {
  const complaints: string[] = [];
  for (const path of paths) {
    try {
      return load(path);
    } catch (error) {
      complaints.push(errorMessage(error));
    }
  }
  throw new Error(complaints.join('; '));
}

function optionBytes(value: number | bigint | boolean | string): Buffer {
  if (typeof value === 'string') return Buffer.from(value, 'utf8');
  const bytes = Buffer.alloc(typeof value === 'bigint' ? 8 : 4);
  if (typeof value === 'bigint') bytes.writeBigInt64LE(value);
  else bytes.writeInt32LE(Number(value));
  return bytes;
}

function versionText(version: number): string {
  return `${version >> 16}.${(version >> 8) & 0xff}.${version & 0xff}`;
}

/** Concurrency limit that leaves threads of the pool to others. */
const mostAtOnce = 2;

/**
 * Ends sockets on the thread pool, a few at a time. When a stream with hundreds of players is over they all close together,
 * and neither the pool nor koffi takes that many calls.
 */
class CloseQueue {
  readonly #close: (socket: number, done: () => void) => void;
  readonly #waiting: { readonly socket: number; readonly done: () => void }[] = [];
  #running = 0;

  constructor(close: (socket: number, done: () => void) => void) {
    this.#close = close;
  }

  close(socket: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ socket, done: resolve });
    this.#next();
    return promise;
  }

  #next(): void {
    if (this.#running >= mostAtOnce) return;
    const first = this.#waiting.shift();
    if (!first) return;
    this.#running += 1;
    this.#close(first.socket, () => {
      this.#running -= 1;
      first.done();
      this.#next();
    });
  }
}
