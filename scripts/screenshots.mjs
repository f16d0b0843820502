// npm run screenshots: the pictures of the README and of the documentation, taken of a product of its own that is really on air.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureConsole, isNodeNewEnough, root, setUp } from './setup.mjs';

const size = { width: 1440, height: 900 };
/** Time on air before the first screenshot: charts have a line, verdicts exist, recordings have segments. */
const onAirMs = 150_000;

const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-g', '50'];
const sound = ['-f', 'lavfi', '-i', 'sine=frequency=220:sample_rate=44100'];
const coded = [...encoder, '-b:v', '1200k', '-c:a', 'aac', '-b:a', '96k', '-ac', '2'];
const streams = {
  'main-stage': [
    '-f',
    'lavfi',
    '-i',
    'gradients=size=960x540:rate=25:nb_colors=4:c0=0x12324a:c1=0x147083:c2=0x7fc8c2:c3=0xf2d7a0:speed=0.01:seed=7',
    ...sound,
    ...coded,
  ],
  'garden-camera': [
    '-f',
    'lavfi',
    '-i',
    'gradients=size=640x360:rate=25:nb_colors=3:c0=0x24452f:c1=0x8fb26b:c2=0xf1e4b3:speed=0.02:seed=21',
    ...sound,
    ...coded,
  ],
};

const destinations = [
  { platform: 'wx', name: 'mirror-a' },
  { platform: 'bilibili', name: 'mirror-b' },
];

async function captureAll() {
  const { Live } = await import('../tests/media/fixtures/live.fixture.ts');
  const { Publisher } = await import('../tests/media/fixtures/ffmpeg.fixture.ts');
  const { until } = await import('../tests/weir.fixture.ts');
  const { chromium } = await import('playwright-core');
  const live = await Live.start();
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
  const films = Object.entries(streams).map(([name, input]) => [name, film(live.weir.dataDir, name, input)]);
  const looped = (path) => ['-stream_loop', '-1', '-i', path, '-c', 'copy'];
  const publishers = films.map(([name, path]) => new Publisher(live.publishUrl(name), looped(path)));
  try {
    await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
    await live.post('/terraform/v1/hooks/record/apply', { all: true });
    for (const { platform, name } of destinations) {
      await live.post('/terraform/v1/ffmpeg/forward/secret', {
        action: 'update',
        platform,
        server: 'rtmp://localhost/live/',
        secret: `${name}?secret=${live.secret}`,
        stream: 'live/main-stage',
        enabled: true,
      });
    }
    const viewers = watchers(live);
    await sleep(onAirMs);
    const page = await openConsole(browser, live, 'light');
    const shows = (text) => page.getByText(text).first().waitFor({ timeout: 60_000 });
    const plays = (on) => until(() => isPlaying(on), 'the stream plays', 60_000);
    await capture(page, live, 'overview', 'tab=overview', () => page.locator('main li img').nth(1).waitFor());
    const stream = 'tab=live&stream=live/main-stage';
    const dark = await openConsole(browser, live, 'dark');
    await capture(dark, live, 'stream', stream, () => plays(dark));
    await dark.context().close();
    await capture(page, live, 'charts', `${stream}#charts`, () => shows('Time between keyframes'));
    await capture(page, live, 'timeline', `${stream}#timeline`, () => shows('Publisher connected'));
    await capture(page, live, 'live', 'tab=live', () => plays(page));
    await capture(page, live, 'forward', 'tab=forward', () => shows('main-stage'));
    viewers.abort();
    await capture(page, live, 'record', 'tab=record', () =>
      page
        .getByRole('row', { name: /garden-camera/ })
        .locator('img')
        .waitFor({ timeout: 60_000 }),
    );
  } finally {
    await Promise.all([browser.close(), ...publishers.map((publisher) => publisher.stop())]);
    await live.close();
  }
}

/** Asked again and again: our content security policy lets a page evaluate no text by itself. */
const isPlaying = (page) => page.evaluate("(document.querySelector('video')?.currentTime ?? 0) > 2");

/** Encoded beforehand: a machine that is busy with browsers must not make its own streams look bad. */
function film(directory, name, input) {
  const path = join(directory, `${name}.mp4`);
  execFileSync('ffmpeg', ['-v', 'error', ...input, '-t', '20', path]);
  return path;
}

/** Some who watch, so that there is somebody to count. */
function watchers(live) {
  const leaving = new AbortController();
  const watch = async () => {
    const { body } = await fetch(live.http('main-stage', '.flv'), { signal: leaving.signal });
    for await (const _ of body);
  };
  for (let number = 0; number < 7; number += 1) void watch().catch(() => undefined);
  return leaving;
}

async function openConsole(browser, live, colorScheme) {
  const { data } = await live.weir.post('/terraform/v1/mgmt/login', { password: 'the password' });
  const context = await browser.newContext({ viewport: size, locale: 'en', colorScheme });
  await context.addInitScript((session) => {
    localStorage.setItem('SRS_TERRAFORM_TOKEN', session);
    localStorage.setItem('SRS_STREAM_NAME', 'main-stage');
  }, JSON.stringify(data));
  return context.newPage();
}

/** Alerts that the console would show. The self-signed certificate is only advice. */
async function alertsOf(live) {
  const [status, server] = await Promise.all(
    ['mgmt/status', 'mgmt/server/diagnosis'].map((path) => live.post(`/terraform/v1/${path}`)),
  );
  const issues = server.data.issues.map(({ id }) => id).filter((id) => id !== 'certificate-untrusted');
  return [...status.data.alerts.map(({ kind }) => kind), ...issues];
}

/**
 * A page of the console, once it shows what it is about. A browser that decodes in software fills a small machine, and the product
 * rightly says so after half a minute: no picture is taken of that.
 */
async function capture(page, live, name, place, ready) {
  const path = join(root, 'docs/images', `${name}.png`);
  let alerts = [];
  for (let tries = 0; tries < 5; tries += 1) {
    await page.goto('about:blank');
    for (let waits = 0; waits < 60 && (await alertsOf(live)).length > 0; waits += 1) await sleep(1000);
    await page.goto(`${live.weir.origin}/mgmt/en/routers-scenario?${place}`);
    await ready();
    // Pictures in lists load lazily, panels open with a motion.
    await sleep(4_000);
    await page.screenshot({ path });
    alerts = await alertsOf(live);
    if (alerts.length === 0) return console.log(path);
  }
  throw new Error(`${name}: the server has alerts: ${alerts}`);
}

setUp('test');
if (isNodeNewEnough()) {
  ensureConsole();
  await captureAll();
}
