// Layers of a simulcast publisher: npm run bench -- layers [cost|halved]
// Chromium publishes three layers by WHIP to a whole product.
// cost: CPU time of the engine and its WebRTC worker with all layers, without the middle one and without the lowest, interleaved. The difference
// is what a layer costs, with its HLS. The picture is noise: a usual one would not fill 3 Mbit/s of 640 × 360.
// halved: a viewer in Chromium behind a line that is halved ten times: when a lower picture is seen, when the top one again, and freezes.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { UdpLine } from '../tests/media/fixtures/line/udp-line.fixture.ts';
import { Live } from '../tests/media/fixtures/live.fixture.ts';
import { freeUdpPort } from '../tests/media/fixtures/udp-proxy.fixture.ts';
import { Call, launchCallingBrowser } from '../tests/media/fixtures/webrtc.fixture.ts';
import { until } from '../tests/weir.fixture.ts';
import { cpuSeconds, familyOf } from './family.ts';
import { round } from './playback/stage.ts';
import { BenchResult } from './results.ts';

const [kind = 'cost', given] = process.argv.slice(2);
const rounds = Number(given ?? (kind === 'cost' ? 3 : 10));
const name = 'layers';
const countSeconds = 15;
const topLines = 540;

interface Layer {
  readonly rid: string;
  readonly scale: number;
  readonly kbps: number;
}

const heavy: readonly Layer[] = [
  { rid: 'l', scale: 4, kbps: 500 },
  { rid: 'm', scale: 2, kbps: 3000 },
  { rid: 'h', scale: 1, kbps: 3000 },
];
const usual: readonly Layer[] = [
  { rid: 'l', scale: 4, kbps: 150 },
  { rid: 'm', scale: 2, kbps: 500 },
  { rid: 'h', scale: 1, kbps: 1500 },
];

/** In the page: pieces of a large picture of noise, or a camera of a clock and boxes that move. */
const publisher = `
window.publish = async (url, layers, isNoise) => {
  // Three layers need 960 × 540; more would take CPU time from what is measured.
  const [width, height] = isNoise ? [1280, 720] : [960, 540];
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  const noise = new ImageData(isNoise ? 1600 : 320, isNoise ? 900 : 160);
  for (let at = 0; at < noise.data.length; at++) noise.data[at] = at % 4 === 3 ? 255 : Math.random() * 256;
  const picture = await createImageBitmap(noise);
  let n = 0;
  setInterval(() => {
    n += 1;
    if (isNoise) context.drawImage(picture, -Math.random() * 320, -Math.random() * 180);
    else {
      // Not scaled, which would cost more than the encoding.
      context.fillStyle = ['#345', '#543', '#354'][Math.floor(n / 15) % 3];
      context.fillRect((n * 13) % width, (n * 7) % height, 200, 200);
      context.drawImage(picture, (n * 4) % 480, 200 + ((n * 3) % 140));
    }
  }, 1000 / 15);
  const peer = new RTCPeerConnection();
  const [video] = canvas.captureStream(15).getVideoTracks();
  video.contentHint = 'detail';
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const sound = audio.createMediaStreamDestination();
  tone.connect(sound);
  tone.start();
  const sendEncodings = layers.map(({ rid, scale, kbps }) => ({ rid, scaleResolutionDownBy: scale, maxBitrate: kbps * 1000 }));
  const { sender } = peer.addTransceiver(video, { direction: 'sendonly', sendEncodings });
  peer.addTransceiver(sound.stream.getAudioTracks()[0], { direction: 'sendonly' });
  window.setLayer = async (rid, active) => {
    const parameters = sender.getParameters();
    for (const encoding of parameters.encodings) if (encoding.rid === rid) encoding.active = active;
    await sender.setParameters(parameters);
  };
  window.sent = async () => {
    const all = [...(await peer.getStats()).values()].filter(({ type, kind }) => type === 'outbound-rtp' && kind === 'video');
    return all.map(({ rid, bytesSent, framesPerSecond, frameWidth }) => ({ rid, bytesSent, framesPerSecond, frameWidth }));
  };
  await peer.setLocalDescription(await peer.createOffer());
  const body = peer.localDescription.sdp;
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/sdp' }, body });
  await peer.setRemoteDescription({ type: 'answer', sdp: await answer.text() });
};
`;

interface Sent {
  readonly rid: string;
  readonly bytesSent: number;
  readonly framesPerSecond?: number;
}

/** In the viewer's page: when a picture of each width was shown first since `mark`, and what WebRTC's statistics say. */
const viewer = `
window.shown = {};
window.mark = () => { window.shown = {}; window.markedAt = performance.now(); };
const look = (now, { width }) => {
  shown[width] ??= performance.now() - (window.markedAt ?? 0);
  window.width = width;
  document.querySelector('video').requestVideoFrameCallback(look);
};
document.querySelector('video').requestVideoFrameCallback(look);
`;

const result = new BenchResult(`layers-${kind}`, { isQuick: given !== undefined });
const rtcPort = await freeUdpPort();
const ports = { WEIR_RTC_LISTEN: `127.0.0.1:${rtcPort}`, RTC_PORT: String(rtcPort) };
const [live, browser] = await Promise.all([Live.start(ports), launchCallingBrowser()]);

async function publish(layers: readonly Layer[], isNoise: boolean): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`${live.weir.origin}/terraform/v1/mgmt/versions`);
  await page.evaluate(publisher);
  const url = `${live.weir.origin}/rtc/v1/whip/?app=live&stream=${name}&eip=127.0.0.1&secret=${live.secret}`;
  await page.evaluate(`publish(${JSON.stringify(url)}, ${JSON.stringify(layers)}, ${isNoise})`);
  const hasAll = async () =>
    (await (await fetch(live.http(name, '.m3u8'))).text()).match(/RESOLUTION=/g)?.length === layers.length;
  await until(hasAll, 'all layers in the master playlist', 60_000);
  return page;
}

/** The engine and its workers, without the ffmpeg that converts audio, which is there once. */
function ownProcesses(): number[] {
  return familyOf(live.weir.pidOf('engine')).filter(
    (pid: number) => !readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('ffmpeg'),
  );
}

async function count(page: Page): Promise<{ percent: number; kbps: Record<string, number> }> {
  const sent = () => page.evaluate<Sent[]>('sent()');
  const [pids, before, fromMs] = [ownProcesses(), await sent(), performance.now()];
  const cpu = cpuSeconds(pids);
  await sleep(countSeconds * 1000);
  const percent = ((cpuSeconds(pids) - cpu) / (performance.now() - fromMs)) * 100_000;
  const seconds = (performance.now() - fromMs) / 1000;
  const after = await sent();
  const bytes = (all: Sent[], rid: string) => all.find((one) => one.rid === rid)?.bytesSent ?? 0;
  const rates = before.map(({ rid }) => [rid, Math.round((bytes(after, rid) - bytes(before, rid)) / 125 / seconds)]);
  return { percent: round(percent), kbps: Object.fromEntries(rates) };
}

async function cost(): Promise<void> {
  const page = await publish(heavy, true);
  const isFull = async () => {
    const { kbps } = await count(page);
    console.log(JSON.stringify(kbps));
    return (kbps.m ?? 0) > 2500 && (kbps.l ?? 0) > 400;
  };
  for (let tries = 0; tries < 3 && !(await isFull()); tries++) console.log('the publisher is not at its rates yet');
  for (let round = 0; round < rounds; round++) {
    for (const left of ['', 'm', 'l']) {
      if (left !== '') await page.evaluate(`setLayer('${left}', false)`);
      // What pauses and returns leaves gaps for some seconds.
      await sleep(6000);
      result.add({ round, without: left, ...(await count(page)) });
      if (left !== '') await page.evaluate(`setLayer('${left}', true)`);
      await sleep(6000);
    }
  }
}

interface ClientFacts {
  readonly type: string;
  readonly transport?: { readonly qualityLines?: number };
}

interface Freezes {
  readonly count: number;
  readonly seconds: number;
}

async function freezesOf(call: Call): Promise<Freezes> {
  const { video } = await call.facts();
  return { count: video?.freezeCount ?? 0, seconds: video?.totalFreezesDuration ?? 0 };
}

async function halved(): Promise<void> {
  const page = await publish(usual, false);
  const { kbps } = await count(page);
  // Enough for the top layer; half of it is not.
  const lineBps = Math.round((kbps.h ?? 1500) * 1.6) * 1000;
  console.log(JSON.stringify({ kbps, lineBps }));
  const line = await UdpLine.open({ port: rtcPort });
  line.set({ delayMs: 10 });
  line.toClient.set({ rateBps: lineBps, queueMs: 400 });
  const url = `${live.weir.origin}/rtc/v1/whep/?app=live&stream=${name}&eip=127.0.0.1`;
  const call = await Call.open(browser, live.weir.origin, url, false, { port: line.port });
  await call.page.evaluate(`${viewer};0`);
  const width = () => call.page.evaluate<number>('window.width ?? 0');
  const sinceMark = async (isWanted: (width: number) => boolean) => {
    const shown = await call.page.evaluate<Record<string, number>>('shown');
    const times = Object.entries(shown).flatMap(([size, ms]) => (isWanted(Number(size)) ? [ms] : []));
    return times.length === 0 ? undefined : Math.round(Math.min(...times));
  };
  const top = 960;
  const linesOf = async () => {
    const { clients } = (await live.post('/api/v1/clients?count=20')) as unknown as { clients: ClientFacts[] };
    return clients.find(({ type }) => type === 'rtc-play')?.transport?.qualityLines ?? topLines;
  };
  await until(async () => (await width()) === top, 'the top layer is shown', 60_000);
  for (let n = 0; n < rounds; n++) {
    await sleep(5000);
    const before = await freezesOf(call);
    await call.page.evaluate('mark()');
    line.toClient.set({ rateBps: lineBps / 2 });
    const fromMs = performance.now();
    let decided: number | undefined;
    while (performance.now() - fromMs < 8000) {
      if (decided === undefined && (await linesOf()) < topLines) decided = Math.round(performance.now() - fromMs);
      await sleep(decided === undefined ? 25 : 200);
    }
    const lowerMs = await sinceMark((size) => size < top);
    const decidedMs = decided;
    const during = await freezesOf(call);
    await call.page.evaluate('mark()');
    line.toClient.set({ rateBps: lineBps });
    for (let waited = 0; waited < 200 && (await sinceMark((size) => size === top)) === undefined; waited++)
      await sleep(100);
    const topMs = await sinceMark((size) => size === top);
    const after = await freezesOf(call);
    result.add({
      round: n,
      decidedMs,
      lowerMs,
      topMs,
      freezes: during.count - before.count,
      frozenMs: Math.round((during.seconds - before.seconds) * 1000),
      freezesAfter: after.count - during.count,
      frozenAfterMs: Math.round((after.seconds - during.seconds) * 1000),
    });
  }
  line.close();
}

try {
  await (kind === 'cost' ? cost() : halved());
} finally {
  await Promise.all([browser.close(), live.close()]);
}
