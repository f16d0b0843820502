import { closeSync, openSync, writeSync } from 'node:fs';
import { loadNativeCalls } from './native-calls.ts';

/** Linux calls that send bytes of a memory file without copying them. Callers check offsets and lengths. */
export interface NativeSend {
  /** Returns the descriptor of a new file in memory. */
  createFile(): number;
  /** Gives the memory of a range back to the system; false if that failed. Pages that are queued in a socket keep their content. */
  punch(file: number, offset: number, bytes: number): boolean;
  /** Returns how many bytes the socket took; 0 also after an error, which the next ordinary write meets, too. */
  sendfile(socket: number, file: number, offset: number, bytes: number): number;
  /** Sends bytes that are followed by more, so that the system may wait to fill a packet. Returns how many the socket took. */
  sendHead(socket: number, head: Buffer): number;
  /** Bytes that the system holds for the peer: not sent, or not confirmed. Undefined where it does not say. */
  unconfirmed(socket: number): number | undefined;
}

/** Constants of Linux. */
const closeOnExec = 1;
const noExecution = 8;
const punchAndKeepSize = 3;
/** MSG_DONTWAIT, MSG_NOSIGNAL and MSG_MORE. */
const headFlags = 0x40 | 0x4000 | 0x8000;
/** SIOCOUTQ. */
const outQueue = 0x5411;
const readWrite = 3;
const privateAnonymous = 0x22;
/** Address below 2 GB, which the system may refuse: passing larger pointers takes 50 ns more. The SRT and WebRTC workers use other ones. */
const wishedAddress = 0x6f00_0000;
const scratchBytes = 16 * 1024;
/** Bytes of the scratch memory that hold the file offset; heads follow. */
const headPlace = 16;
const twoTo32 = 2 ** 32;

/** Loads the calls. Throws if one is missing or does not work. */
export async function loadNativeSend(): Promise<NativeSend> {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch))
    throw new Error(`not on ${process.platform} ${process.arch}`);
  const native = await loadNativeCalls();
  const system = native.load(null);
  const memfdCreate = system.func('int memfd_create(const char *, uint32_t)');
  const fallocate = system.func('int fallocate(int, int, int64_t, int64_t)');
  const sendfile = system.func('int64_t sendfile(int, int, uintptr_t, size_t)');
  const send = system.func('int64_t send(int, uintptr_t, size_t, int)');
  const ioctl = system.func('int ioctl(int, size_t, uintptr_t)');
  const mmap = system.func('uintptr_t mmap(uintptr_t, size_t, int, int, int, int64_t)');
  const address: number = mmap(wishedAddress, scratchBytes, readWrite, privateAnonymous, -1, 0);
  if (!Number.isSafeInteger(address)) throw new Error('there is no memory');
  const scratch = Buffer.from(native.view(BigInt(address), scratchBytes));
  const words = new Uint32Array(scratch.buffer, scratch.byteOffset, 2);
  const calls: NativeSend = {
    createFile() {
      let file: number = memfdCreate('weir', closeOnExec | noExecution);
      // Kernels before 6.3 do not know the second flag.
      if (file < 0) file = memfdCreate('weir', closeOnExec);
      if (file < 0) throw new Error('there are no files in memory');
      return file;
    },
    punch: (file, offset, bytes) => fallocate(file, punchAndKeepSize, offset, bytes) === 0,
    sendfile(socket, file, offset, bytes) {
      // The call changes the offset, so it is written each time.
      words[0] = offset % twoTo32;
      words[1] = offset / twoTo32;
      const sent: number = sendfile(socket, file, address, bytes);
      return sent > 0 ? sent : 0;
    },
    sendHead(socket, head) {
      if (head.length > scratchBytes - headPlace) return 0;
      scratch.set(head, headPlace);
      const sent: number = send(socket, address + headPlace, head.length, headFlags);
      return sent > 0 ? sent : 0;
    },
    unconfirmed: (socket) => (ioctl(socket, outQueue, address) === 0 ? words[0] : undefined),
  };
  assertWorks(calls);
  return calls;
}

/** Throws if a call fails: a sandbox may forbid one that exists. */
function assertWorks({ createFile, sendfile, punch }: NativeSend): void {
  const file = createFile();
  const sink = openSync('/dev/null', 'w');
  try {
    writeSync(file, 'weir', 4096);
    if (sendfile(sink, file, 4096, 4) !== 4) throw new Error('sendfile is not allowed');
    if (!punch(file, 0, 2 * 4096)) throw new Error('fallocate is not allowed');
  } finally {
    closeSync(sink);
    closeSync(file);
  }
}
