// The overview with many streams: `node bench/overview.mjs [streams] [viewers]`. The built product, streams that ffmpeg publishes, viewers over HTTP-FLV
// that read and throw away, and Chromium: how long the page takes to show its cards, how smooth it scrolls, and what it costs the server to be looked at.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { browserFile } from '../tests/e2e/fixtures/browser-file.fixture.ts';
import { startProduct } from './product.mjs';
import { BenchResult } from './results.ts';

const [streams = 100, viewers = 2000] = process.argv.slice(2).map(Number);
const shots = process.env.WEIR_SHOTS;
const [http, rtmp] = [22_222, 22_235];
const { origin, data, call, signIn, stop } = startProduct('overview', { http, rtmp });

/** Seconds of CPU that a process has had; Linux counts in hundredths. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** One process encodes once and publishes under many names, which receivers cannot tell. */
function publish(from, count) {
  const names = Array.from({ length: count }, (_, n) => `[f=flv]rtmp://127.0.0.1:${rtmp}/live/stream-${from + n}`);
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=10', '-f', 'lavfi', '-i', 'sine=sample_rate=44100'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '20', '-b:v', '60k', '-c:a', 'aac', '-b:a', '24k'];
  const args = ['-v', 'error', '-re', ...source, ...codecs, '-map', '0', '-map', '1', '-f', 'tee', names.join('|')];
  return spawn('ffmpeg', args, { stdio: 'ignore' });
}

function watch(n) {
  const socket = connect(http, '127.0.0.1', () => {
    socket.write(`GET /live/stream-${n % streams}.flv HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    socket.resume();
  });
  return socket.on('error', () => undefined);
}

/** Frames while the page scrolls from top to bottom, as the page itself counts them. */
const scrolling = `new Promise((resolve) => {
  const times = [];
  const height = document.documentElement.scrollHeight - innerHeight;
  const step = (now) => {
    times.push(now);
    const part = (now - times[0]) / 4000;
    scrollTo(0, height * Math.min(1, part));
    if (part < 1) requestAnimationFrame(step);
    else resolve(times.slice(1).map((time, index) => time - times[index]));
  };
  requestAnimationFrame(step);
})`;

/** When the page shows what, by its own clock, which begins with the click. Whoever asks from outside takes the page's time while it works. */
const watching = `{
  const seen = (window.seen = {});
  const look = () => {
    const cards = [...document.querySelectorAll('main ul[aria-label] > li')];
    const first = cards.slice(0, 8);
    const now = Math.round(performance.now());
    if (cards.length === ${streams}) seen.named ??= now;
    if (first.length > 0 && first.every((card) => card.querySelector('svg[role=img]'))) seen.drawn ??= now;
    if (first.some((card) => card.querySelector('img')?.complete)) seen.pictured ??= now;
    if (!(seen.named && seen.drawn && seen.pictured)) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}`;

/** Milliseconds of CPU that the thread of a page has had: on a busy machine the clock alone says little of the page. */
async function watchThread(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
}

/** Baseline of this machine under the same load: as many empty boxes. */
const boxes = `<style>li { display: inline-block; width: 300px; height: 280px; margin: 8px; background: #def }</style>
  ${'<li></li>'.repeat(100)}`;

const tenths = (value) => Math.round(value * 10) / 10;

async function scrolled(name, page) {
  await page.bringToFront();
  await page.evaluate('scrollTo(0, 0)');
  await sleep(1500);
  const busyMs = await watchThread(page);
  const worked = await busyMs();
  const gaps = (await page.evaluate(scrolling)).sort((a, b) => a - b);
  const lengthMs = gaps.reduce((sum, gap) => sum + gap, 0);
  const at = (part) => tenths(gaps[Math.floor(gaps.length * part)] ?? 0);
  return {
    scrolled: name,
    framesPerSecond: tenths((1000 * gaps.length) / lengthMs),
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    worstMs: at(0.9999),
    mainThreadPercent: Math.round((((await busyMs()) - worked) / lengthMs) * 100),
  };
}

const publishers = [];
const sockets = [];
let browser;
try {
  const session = await signIn();
  for (let from = 0; from < streams; from += 50) publishers.push(publish(from, Math.min(50, streams - from)));
  while ((await call('mgmt/streams/query'))?.streams.length !== streams) await sleep(200);
  for (let n = 0; n < viewers; n += 1) {
    sockets.push(watch(n));
    if (n % 100 === 99) await sleep(100);
  }
  const viewersNow = async () =>
    (await call('mgmt/streams/query')).streams.reduce((sum, { media }) => sum + (media?.viewers ?? 0), 0);
  while ((await viewersNow()) < viewers) await sleep(500);
  const { planes } = await call('mgmt/components/query');
  const pidOf = (wanted) => planes.find(({ name }) => name === wanted).pid;
  // A profile on disk, as people have: what a second visit finds there is part of the question.
  browser = await chromium.launchPersistentContext(join(data, 'browser'), {
    executablePath: browserFile,
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
    viewport: { width: 1440, height: 900 },
  });
  const signedIn = JSON.stringify(JSON.stringify(session));
  await browser.addInitScript({ content: `localStorage.setItem('SRS_TERRAFORM_TOKEN', ${signedIn})` });
  const opened = async () => {
    const page = await browser.newPage();
    const busyMs = await watchThread(page);
    await page.addInitScript({ content: watching });
    await page.goto(`${origin}/mgmt/en/routers-scenario?tab=overview`, { waitUntil: 'commit' });
    await page.waitForFunction(() => window.seen?.named && window.seen.drawn && window.seen.pictured, undefined, {
      polling: 100,
    });
    const { named, drawn, pictured } = await page.evaluate('window.seen');
    const times = { namesMs: named, valuesMs: drawn, firstPreviewMs: pictured };
    return { page, times: { ...times, mainThreadMs: Math.round(await busyMs()) } };
  };
  const first = await opened();
  await first.page.close();
  const { page, times } = await opened();
  const result = new BenchResult('overview');
  result.add({ streams, viewers: await viewersNow() });
  result.add({ visit: 'first', ...first.times });
  result.add({ visit: 'second', ...times });
  await sleep(3000);
  const before = { engine: cpuOf(pidOf('engine')), server: cpuOf(pidOf('server')) };
  await sleep(10_000);
  for (const name of ['engine', 'server']) {
    result.add({ process: name, cpuPercent: tenths((cpuOf(pidOf(name)) - before[name]) * 10) });
  }
  const plain = await browser.newPage();
  await plain.setContent(boxes);
  for (let round = 0; round < 3; round += 1) {
    for (const [name, each] of [
      ['overview', page],
      ['100 plain boxes', plain],
    ])
      result.add(await scrolled(name, each));
  }
  await plain.close();
  await page.bringToFront();
  if (shots) {
    await page.evaluate('scrollTo(0, 0)');
    await sleep(3000);
    await page.screenshot({ path: join(shots, `overview-${streams}.png`) });
    await page.setViewportSize({ width: 390, height: 844 });
    await sleep(3000);
    await page.screenshot({ path: join(shots, `overview-${streams}-390.png`) });
  }
} finally {
  await browser?.close();
  for (const socket of sockets) socket.destroy();
  for (const publisher of publishers) publisher.kill('SIGKILL');
  await stop();
}
