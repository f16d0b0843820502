import { connect } from 'node:net';
import { TestCaller } from '../../../apps/engine/src/servers/srt/worker/srt-caller.fixture.ts';
import { RtmpPeer } from '../../../attack/rtmp-peer.ts';
import { until } from '../../weir.fixture.ts';
import type { Live } from '../fixtures/live.fixture.ts';
import { urisOf, whepOffer } from './access-players.fixture.ts';

/** Some seconds of what ffmpeg publishes in the tests, with everything that comes before media. */
const enoughBytes = 150_000;

type Receive = (live: Live, playback: string, token: string) => Promise<Buffer>;

/** Bytes that the server sends in answer to one request, with status line and headers. */
async function exchange(live: Live, request: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isOver = false;
  const socket = connect(live.weir.httpPort, '127.0.0.1', () => socket.write(request));
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    bytes += chunk.length;
  });
  socket.on('close', () => {
    isOver = true;
  });
  try {
    await until(() => isOver || bytes > enoughBytes, 'the answer, or the beginning of a long one');
  } finally {
    socket.destroy();
  }
  return Buffer.concat(chunks);
}

const head = (live: Live, line: string) =>
  `${line} HTTP/1.1\r\nHost: 127.0.0.1:${live.weir.httpPort}\r\nConnection: close\r\n`;

function post(live: Live, path: string, type: string, body: string): Promise<Buffer> {
  const headers = `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
  return exchange(live, head(live, `POST ${path}`) + headers + body);
}

const get = (live: Live, path: string) => exchange(live, `${head(live, `GET ${path}`)}\r\n`);

const bodyOf = (answer: Buffer) => answer.toString('latin1').replace(/^.*?\r\n\r\n/s, '');

const flv: Receive = (live, playback, token) => get(live, `/play/${playback}.flv?token=${token}`);

const hls =
  (suffix: string): Receive =>
  async (live, playback, token) => {
    const { origin } = live.weir;
    const read = (url: string) => get(live, url.replace(origin, ''));
    const follow = (list: Buffer, base: string) => urisOf(bodyOf(list), base);
    const at = `${origin}/play/${playback}${suffix}?token=${token}`;
    const master = await read(at);
    const variants = follow(master, at);
    const lists = await Promise.all(variants.map(read));
    const named = lists.flatMap((list, n) => follow(list, variants[n] ?? at).slice(0, 4));
    return Buffer.concat([master, ...lists, ...(await Promise.all(named.map(read)))]);
  };

function askWhoMayWatch(live: Live, playback: string, token: string): Promise<Buffer> {
  return post(live, '/terraform/v1/watch/query', 'application/json', JSON.stringify({ playback, token }));
}

async function rtmp(live: Live, playback: string, token: string): Promise<Buffer> {
  const { rtmpPort: port } = live.weir;
  const peer = new RtmpPeer({ port, mode: 'play', app: 'play', name: `${playback}?token=${token}` });
  const chunks: Buffer[] = [];
  peer.socket.on('data', (chunk) => chunks.push(chunk));
  const isEnough = () => chunks.reduce((sum, { length }) => sum + length, 0) > enoughBytes;
  try {
    await until(() => isEnough() || peer.hasEnded, 'media over RTMP');
  } finally {
    peer.close();
  }
  // A text may be cut by the head of a chunk; commands as they were read are not.
  return Buffer.concat([...chunks, Buffer.from(JSON.stringify(peer.events))]);
}

async function srt(live: Live, playback: string, token: string): Promise<Buffer> {
  const caller = await TestCaller.dial(live.weir.srtPort, `#!::r=play/${playback},token=${token},m=request`);
  const chunks: Buffer[] = [];
  let bytes = 0;
  const isEnough = () => {
    for (let message = caller.receive(); message.length > 0; message = caller.receive()) {
      chunks.push(message);
      bytes += message.length;
    }
    return bytes > enoughBytes;
  };
  try {
    await until(() => isEnough() || !caller.isConnected, 'media over SRT');
  } finally {
    await caller.close();
  }
  return Buffer.concat(chunks);
}

async function whep(live: Live, playback: string, token: string): Promise<Buffer> {
  const path = `/rtc/v1/whep/?app=play&stream=${playback}&token=${token}`;
  const bytes = await post(live, path, 'application/sdp', whepOffer());
  const [, resource = ''] = /^location: (.*)$/im.exec(bytes.toString('latin1')) ?? [];
  await fetch(new URL(resource.trim(), live.weir.origin), { method: 'DELETE' });
  return bytes;
}

/** Bytes that a viewer with a playback id receives, and a part of them. Media of WebRTC is encrypted, and its texts are in the SDP. */
export const receivers: Readonly<Record<string, { receive: Receive; expected: string }>> = {
  'HTTP-FLV': { receive: flv, expected: 'onMetaData' },
  HLS: { receive: hls('.m3u8'), expected: 'ID-' },
  'low-latency HLS': { receive: hls('.ll.m3u8'), expected: 'ID.ll-' },
  RTMP: { receive: rtmp, expected: 'onMetaData' },
  // The packet that begins a program association table.
  SRT: { receive: srt, expected: 'G@\0' },
  WHEP: { receive: whep, expected: 'a=msid:' },
  'the watch page': {
    receive: (live, playback, token) => get(live, `/watch/${playback}?token=${token}`),
    expected: 'ID',
  },
  'the embedded player': {
    receive: (live, playback, token) => get(live, `/embed/${playback}?token=${token}`),
    expected: 'ID',
  },
  'the calendar event': { receive: (live, playback) => get(live, `/watch/${playback}/event.ics`), expected: 'ID' },
  oEmbed: {
    receive: (live, playback) => {
      const page = encodeURIComponent(`${live.weir.origin}/watch/${playback}`);
      return get(live, `/watch/oembed?url=${page}`);
    },
    expected: '/embed/ID',
  },
  'the question who may watch': { receive: askWhoMayWatch, expected: '"code":0' },
};
