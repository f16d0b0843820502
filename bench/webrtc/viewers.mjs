// WHEP viewers in one process: `node viewers.mjs URL crowd|watched`. Each line of its input is how many more are to come, answered
// with "ready" when they are connected. A crowd lets its packets be decrypted and dropped. Those that are watched tell every second what the first of them received, and at the end how late pictures were;
// they have a process of their own, since beside hundreds of others a packet waits longer for its reader than it was on its way.
import { randomInt } from 'node:crypto';
import process from 'node:process';
import { createInterface } from 'node:readline';
import nd from 'node-datachannel';

const [url = '', kind = 'watched'] = process.argv.slice(2);
const isWatched = kind === 'watched';
nd.initLogger('Fatal', () => undefined);
const kept = [];
let connected = 0;
const seen = { packets: 0, bytes: 0 };
let readyAt = Number.POSITIVE_INFINITY;
/** Completion times of frames for watched viewers, on the clock of the packets. */
const arrivals = [];
const firstMs = [];
/** Watched viewers join one by one, because their time to the first frame is measured. */
const together = isWatched ? 1 : 10;

const isVideoEnd = (bytes) => bytes[1] === (102 | 0x80);

/** Notes when pictures are whole. */
function watch(postedAt) {
  const own = [];
  arrivals.push(own);
  let isFirst = true;
  return (bytes) => {
    if (!isVideoEnd(bytes)) return;
    const at = performance.now();
    if (isFirst) firstMs.push(at - postedAt());
    isFirst = false;
    if (at > readyAt + 3000) own.push({ at, ms: bytes.readUInt32BE(4) / 90 });
  };
}

/** When each picture came by HTTP-FLV, by its time: what is published is at hand there at once. */
const reference = new Map();
async function followFlv() {
  const response = await fetch(new URL('/live/bench.flv', url));
  let rest = Buffer.alloc(0);
  let head = 13;
  for await (const chunk of response.body) {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      if (rest.length < head + 11) break;
      const length = 11 + rest.readUIntBE(head + 1, 3) + 4;
      if (rest.length < head + length) break;
      if (rest[head] === 9) reference.set(rest.readUIntBE(head + 4, 3), performance.now());
      rest = rest.subarray(head + length);
      head = 0;
    }
  }
}

/** Delay of a viewer's frames against HTTP-FLV. The clocks differ by a constant. */
function delaysOf(own) {
  const known = [...reference];
  const offsets = new Map();
  for (const { at, ms } of own.slice(0, 200)) {
    const [flvMs] = known.findLast(([, flvAt]) => flvAt <= at + 5) ?? [0];
    const offset = Math.round(ms - flvMs);
    offsets.set(offset, (offsets.get(offset) ?? 0) + 1);
  }
  const [offset = 0] = [...offsets].sort((a, b) => b[1] - a[1])[0] ?? [];
  return own.flatMap(({ at, ms }) => {
    const flvAt = reference.get(Math.round(ms - offset));
    return flvAt === undefined ? [] : [at - flvAt];
  });
}

const percentile = (sorted, share) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
function summary(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), max: percentile(sorted, 1 - 1e-9) };
}

/** A receiver report without blocks: the server hears that we are there. */
const report = Buffer.from([0x80, 201, 0, 1, 0, 0, 0, 0]);
report.writeUInt32BE(randomInt(2 ** 32), 4);

async function join(index) {
  const peer = new nd.PeerConnection(`viewer-${index}`, { iceServers: [], disableAutoNegotiation: true });
  const video = new nd.Video('0', 'RecvOnly');
  video.addH264Codec(102, 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f');
  const audio = new nd.Audio('1', 'RecvOnly');
  audio.addOpusCodec(111);
  const tracks = [peer.addTrack(video), peer.addTrack(audio)];
  kept.push({ peer, tracks });
  const isOpen = Promise.withResolvers();
  tracks[0].onOpen(() => {
    connected += 1;
    setInterval(() => tracks[0].isOpen() && tracks[0].sendMessageBinary(report), 2000);
    isOpen.resolve();
  });
  let posted = 0;
  if (isWatched) {
    const onPacket = watch(() => posted);
    for (const track of tracks)
      track.onMessage((bytes) => {
        if (index === 0) {
          seen.packets += 1;
          seen.bytes += bytes.length;
        }
        onPacket(bytes);
      });
  }
  const gathered = Promise.withResolvers();
  peer.onGatheringStateChange((state) => state === 'complete' && gathered.resolve());
  peer.setLocalDescription('offer');
  await gathered.promise;
  posted = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp' },
    body: peer.localDescription().sdp,
  });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  peer.setRemoteDescription(await response.text(), 'answer');
  await isOpen.promise;
}

setInterval(() => console.log(JSON.stringify({ event: 'seen', ...seen })), 1000);
process.on('SIGTERM', () => {
  const delays = arrivals.flatMap(delaysOf);
  process.stdout.write(
    `${JSON.stringify({ event: 'times', delayMs: { ...summary(delays), of: delays.length }, firstMs: summary(firstMs) })}\n`,
    () => process.exit(0),
  );
});

if (isWatched) followFlv().catch(() => undefined);
for await (const line of createInterface({ input: process.stdin })) {
  const wanted = kept.length + Number(line);
  while (kept.length < wanted)
    await Promise.all(Array.from({ length: Math.min(together, wanted - kept.length) }, () => join(kept.length)));
  readyAt = performance.now();
  console.log(JSON.stringify({ event: 'ready', connected }));
}
