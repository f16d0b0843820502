import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { inputs, Publisher, probe } from './fixtures/ffmpeg.fixture.ts';
import { FlvViewer, Live } from './fixtures/live.fixture.ts';
import { SyntheticPublisher } from './fixtures/synthetic-publisher.fixture.ts';

const vlive = '/terraform/v1/ffmpeg/vlive';

let live: Live;
const open: { close(): unknown }[] = [];
beforeAll(async () => {
  live = await Live.start();
  // A list of HLS has its first entry after two seconds instead of ten, far from the end of our probe's patience.
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
});
afterAll(() => live.close());
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function publishByFfmpeg(name: string): void {
  const publisher = new Publisher(live.publishUrl(name), inputs.both);
  open.push({ close: () => publisher.stop('SIGKILL') });
}

/** Within milliseconds: who asks by HTTP is not kept waiting for as long as ffmpeg takes to start. */
async function publishAtOnce(name: string): Promise<void> {
  const port = live.weir.rtmpPort;
  open.push(await SyntheticPublisher.start({ port, name: `${name}?secret=${live.secret}`, kbps: 500 }));
}

/** A browser's offer to watch, cut down to what decides. */
const offer = [
  'v=0',
  'o=- 1 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'm=video 9 UDP/TLS/RTP/SAVPF 96',
  'c=IN IP4 0.0.0.0',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:abcdefghijklmnopqrstuvwx',
  `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`,
  'a=setup:actpass',
  'a=mid:0',
  'a=recvonly',
  'a=rtcp-mux',
  'a=rtpmap:96 H264/90000',
  'a=fmtp:96 packetization-mode=1;profile-level-id=42e01f',
  '',
].join('\r\n');

it.each([
  ['RTMP', (name: string) => live.rtmp(name)],
  ['SRT', (name: string) => `srt://127.0.0.1:${live.weir.srtPort}?streamid=#!::r=live/${name},m=request`],
])('a player by %s that starts a moment before the publisher gets the stream', async (protocol, urlOf) => {
  const name = `early-${protocol}`;
  const found = probe(urlOf(name));
  await sleep(1000);
  publishByFfmpeg(name);
  expect(await found).toMatchObject([{ codec_name: 'h264' }, { codec_name: 'aac' }]);
});

it('a player by HTTP-FLV or WHEP that starts a moment before the publisher is answered when it comes', async () => {
  const viewer = FlvViewer.open(live.http('early-http', '.flv'));
  const headers = { 'content-type': 'application/sdp' };
  const asked = fetch(`${live.weir.origin}/rtc/v1/whep/?app=live&stream=early-http`, {
    method: 'POST',
    headers,
    body: offer,
  });
  await sleep(200);
  await publishAtOnce('early-http');
  open.push(await viewer);
  expect((await asked).status).toBe(201);
});

it.each([
  ['RTMP', (name: string) => live.rtmp(name)],
  ['FLV', (name: string) => live.http(name, '.flv')],
  ['HLS', (name: string) => live.http(name, '.m3u8')],
])(
  'our own probe of a source by %s waits for a publisher that comes a moment later',
  async (protocol, urlOf) => {
    const name = `source-${protocol}`;
    const { data } = await live.post(`${vlive}/stream-url`, { url: urlOf(name) });
    const chosen = live.post(`${vlive}/source`, { platform: 'wx', files: [{ uuid: data.uuid }] });
    // Longer than any request by HTTP is held back.
    await sleep(4000);
    publishByFfmpeg(name);
    const answer = await chosen;
    expect(answer).toMatchObject({ code: 0 });
    expect(answer.data.files[0]).toMatchObject({ video: { codec_name: 'h264' }, audio: { codec_name: 'aac' } });
  },
  60_000,
);
