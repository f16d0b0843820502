// SRT players for the benchmark, all behind one UDP port: node srt-players.mjs PORT STREAM COUNT SECONDS
// Prints one line of JSON: bytes received while it counted, and how many players were connected throughout.
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import koffi from 'koffi';

const [port, stream, count, seconds] = process.argv.slice(2);
const library = koffi.load('libsrt-gnutls.so.1.5');
const has = (text) => library.func(text);
const startup = has('int srt_startup()');
const setLogLevel = has('void srt_setloglevel(int level)');
const createSocket = has('int srt_create_socket()');
const setFlag = has('int srt_setsockflag(int u, int option, const void *value, int length)');
const bind = has('int srt_bind(int u, const void *address, int n)');
const getName = has('int srt_getsockname(int u, void *address, void *length)');
const connect = has('int srt_connect(int u, const void *address, int n)');
const receive = has('int srt_recvmsg(int u, void *into, int n)');
const state = has('int srt_getsockstate(int u)');
const pollCreate = has('int srt_epoll_create()');
const pollAdd = has('int srt_epoll_add_usock(int poll, int u, const void *events)');
const pollWait = has('int srt_epoll_uwait(int poll, void *events, int size, int64_t timeoutMs)');

const option = { sndSyn: 1, rcvSyn: 2, rcvBuf: 6, fc: 4, streamId: 46 };
const connected = 5;

function address(atPort) {
  const out = Buffer.alloc(16);
  out.writeUInt16LE(2, 0);
  out.writeUInt16BE(atPort, 2);
  out.set([127, 0, 0, 1], 4);
  return out;
}

function int(value) {
  const out = Buffer.alloc(4);
  out.writeInt32LE(value);
  return out;
}

setLogLevel(2);
startup();
const poll = pollCreate();
const sockets = [];
let local = 0;
for (let n = 0; n < Number(count); n++) {
  const socket = createSocket();
  setFlag(socket, option.sndSyn, int(0), 4);
  setFlag(socket, option.rcvSyn, int(0), 4);
  setFlag(socket, option.fc, int(2048), 4);
  setFlag(socket, option.rcvBuf, int(2048 * 1456), 4);
  const id = Buffer.from(`#!::r=${stream},m=request`);
  setFlag(socket, option.streamId, id, id.length);
  bind(socket, address(local), 16);
  if (local === 0) {
    const own = Buffer.alloc(128);
    getName(socket, own, int(128));
    local = own.readUInt16BE(2);
  }
  connect(socket, address(Number(port)), 16);
  pollAdd(poll, socket, int(0x9));
  sockets.push(socket);
  if (n % 10 === 9) await sleep(20);
}

const events = Buffer.alloc(8 * 4096);
const into = Buffer.alloc(1456);
let bytes = 0;
let isOver = false;
function wait() {
  pollWait.async(poll, events, 4096, 100, (_error, ready) => {
    for (let n = 0; n < ready; n++) {
      const socket = events.readInt32LE(8 * n);
      for (let got = receive(socket, into, into.length); got > 0; got = receive(socket, into, into.length))
        bytes += got;
    }
    if (!isOver) setTimeout(wait, 10);
  });
}
wait();

const rejectReason = has('int srt_getrejectreason(int u)');
const alive = () => sockets.filter((socket) => state(socket) === connected).length;
const deadline = Date.now() + 20_000;
while (alive() < sockets.length && Date.now() < deadline) await sleep(50);
await sleep(2000);
const failures = {};
for (const socket of sockets.filter((one) => state(one) !== connected)) {
  const reason = `state ${state(socket)}, reject reason ${rejectReason(socket)}`;
  failures[reason] = (failures[reason] ?? 0) + 1;
}
if (Object.keys(failures).length > 0) console.error('not connected:', failures);
process.stdout.write('counting\n');
bytes = 0;
await sleep(Number(seconds) * 1000);
const counted = bytes;
isOver = true;
process.stdout.write(`${JSON.stringify({ bytes: counted, players: alive() })}\n`);
process.exit(0);
