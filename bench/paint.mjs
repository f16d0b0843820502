// Measures when the console and a watch page show something useful: `node bench/paint.mjs [rounds]`. The built product with one live stream, and
// Chromium without a GPU. A first visit has an empty cache, a second one the files of the first. Times are the page's own and begin with the navigation.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { browserFile } from '../tests/e2e/fixtures/browser-file.fixture.ts';
import { madeOnce } from '../tests/made-once.fixture.ts';
import { startProduct } from './product.mjs';
import { BenchResult } from './results.ts';

const rounds = Number(process.argv[2] ?? 5);
const shots = process.env.WEIR_SHOTS;
const [http, rtmp] = [22_322, 22_335];
const stream = 'live/main-stage';

const screen = '/mgmt/en/routers-scenario';
/** Conditions for useful content: a page of the console names its stream and says how it does, a watch page shows a picture. */
const pages = {
  overview: { path: `${screen}?tab=overview`, useful: `document.querySelector('main a[href*="main-stage"]')` },
  'stream page': {
    path: `${screen}?tab=live&stream=${stream}`,
    useful: `/Good|Live/.test(document.querySelector('main').innerText)
      && [...document.querySelectorAll('h1')].some((title) => title.textContent.includes('${stream}'))`,
  },
};

/** Script that looks at the page before each frame. What it finds is on the screen a frame later. */
const watching = (useful) => `{
  const seen = (window.seen = {});
  const note = (name) => requestAnimationFrame((now) => (seen[name] ??= now));
  const isLoading = () => [...document.querySelectorAll('main .mantine-Skeleton-root')].some((each) => each.checkVisibility());
  const look = () => {
    const isUseful = document.querySelector('main') && ${useful};
    if (isUseful && !seen.useful) note('useful');
    if (isUseful && !isLoading() && !seen.complete) note('complete');
    if (document.querySelector('video')?.readyState >= 2) seen.picture ??= performance.now();
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  new PerformanceObserver((list) => (seen.largest = list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true });
}`;

const reading = `(() => {
  const loaded = performance.getEntriesByType('resource');
  const { seen } = window;
  return {
    ...seen,
    first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    requests: loaded.filter(({ startTime }) => startTime < seen.useful).length + 1,
    kilobytes: loaded.reduce((sum, { encodedBodySize, transferSize }) => sum + (transferSize > 0 ? encodedBodySize : 0), 0) / 1024,
  };
})()`;

async function visit(context, name, shot) {
  const { path, useful } = pages[name];
  const page = await context.newPage();
  await page.addInitScript({ content: watching(useful) });
  await page.goto(origin + path, { waitUntil: 'commit' });
  // Asked now and then: the answer takes the page's time while it works.
  while (!(await page.evaluate('Boolean(window.seen?.complete)'))) await sleep(250);
  await sleep(2500);
  if (shots && shot) await page.screenshot({ path: join(shots, `${name.replace(' ', '-')}.png`) });
  const seen = await page.evaluate(reading);
  await page.close();
  return seen;
}

function median(values) {
  const known = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  return Math.round(known[Math.floor(known.length / 2)] ?? Number.NaN);
}

const { origin, call, signIn, stop } = startProduct('paint', { http, rtmp });
const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25', '-f', 'lavfi', '-i', 'sine=sample_rate=44100'];
const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50', '-b:v', '800k'];
const film = madeOnce([...picture, ...video, '-c:a', 'aac', '-b:a', '64k', '-t', '20'], 'mp4');
const session = JSON.stringify(await signIn());
const target = `rtmp://127.0.0.1:${rtmp}/${stream}`;
const looped = ['-v', 'error', '-re', '-stream_loop', '-1', '-i', film, '-c', 'copy', '-f', 'flv', target];
const publisher = spawn('ffmpeg', looped, { stdio: 'ignore' });
const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];
const browser = await chromium.launch({ executablePath: browserFile, args });
try {
  while ((await call('mgmt/streams/query'))?.streams.length !== 1) await sleep(200);
  // A preview, a verdict and bitrates take some seconds.
  await sleep(8000);
  const [app, name] = stream.split('/');
  const { playback } = await call('mgmt/watch/update', { app, stream: name, page: {} });
  pages['watch page'] = { path: `/watch/${playback}`, useful: `document.querySelector('video')?.readyState >= 2` };
  const result = new BenchResult('paint');
  for (const name of Object.keys(pages)) {
    const visits = { first: [], second: [] };
    for (let round = 0; round < rounds; round += 1) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      await context.addInitScript((stored) => localStorage.setItem('SRS_TERRAFORM_TOKEN', stored), session);
      visits.first.push(await visit(context, name, round === 0));
      visits.second.push(await visit(context, name));
      await context.close();
    }
    for (const [which, seen] of Object.entries(visits)) {
      const middle = (key) => median(seen.map((each) => each[key]));
      result.add({
        page: name,
        visit: which,
        firstPaintMs: middle('first'),
        usefulMs: middle('useful'),
        slowestUsefulMs: Math.round(Math.max(...seen.map(({ useful }) => useful))),
        largestPaintMs: middle('largest'),
        completeMs: middle('complete'),
        pictureMs: middle('picture'),
        requestsBeforeUseful: middle('requests'),
        kilobytes: middle('kilobytes'),
      });
    }
  }
} finally {
  await browser.close();
  publisher.kill('SIGKILL');
  await stop();
}
