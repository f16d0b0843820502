// npm run contact-sheet: every page of the console in both languages, light and dark, wide and narrow, empty, with one stream, with many and
// in trouble, as pictures and as one sheet of them, outside the repository.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureConsole, isNodeNewEnough, setUp } from './setup.mjs';

const widths = [1440, 1024, 390];
const height = 900;
/** Time for pictures and figures to arrive. */
const settlesMs = 1200;

const scenarioTabs =
  'overview start tutorials live stream forward record vlive camera transcode transcript dubbing ocr others'.split(' ');
const settingsTabs = 'auth https hls beian limits llm streams callback api platform'.split(' ');
/** Pages by the name of their pictures. */
const pages = new Map([
  ...scenarioTabs.map((tab) => [tab, `routers-scenario?tab=${tab}`]),
  ['deprecated', 'routers-scenario?tab=others&ctab=deprecated'],
  ['stream-page', 'routers-scenario?tab=live&stream=live/show-1'],
  ...settingsTabs.map((tab) => [`system-${tab}`, `routers-settings?tab=${tab}`]),
  ['server', 'routers-components'],
  ['contact', 'routers-contact'],
]);

const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-g', '50'];
const film = (seed) => [
  '-f',
  'lavfi',
  '-i',
  `gradients=size=640x360:rate=25:nb_colors=3:speed=0.02:seed=${seed}`,
  '-f',
  'lavfi',
  '-i',
  `sine=frequency=${200 + seed}`,
];

/** Set-up before each round of pictures, on top of the rounds before. */
const rounds = {
  empty: async () => undefined,
  one: (live) => goLive(live, 1),
  many: async (live) => {
    for (let number = 2; number <= 4; number += 1) await goLive(live, number);
    await live.post('/terraform/v1/hooks/record/apply', { all: true });
    await forward(live, 'wx', `rtmp://127.0.0.1:${live.weir.rtmpPort}/live`, `copy?secret=${live.secret}`);
  },
  error: async (live) => {
    await forward(live, 'bilibili', 'rtmp://127.0.0.1:9/live', 'key');
    await live.post('/terraform/v1/mgmt/hooks/apply', { target: 'http://127.0.0.1:9/hook', all: true, opaque: '' });
  },
};
const publishers = [];

/** Encoded beforehand: a machine that is busy with browsers must not make its own streams look bad. */
async function goLive(live, number) {
  const { Publisher } = await import('../tests/media/fixtures/ffmpeg.fixture.ts');
  const path = join(live.weir.dataDir, `film-${number}.mp4`);
  const coded = [...film(number), ...encoder, '-b:v', '400k', '-c:a', 'aac', '-b:a', '64k', '-t', '10'];
  execFileSync('ffmpeg', ['-v', 'error', ...coded, path]);
  publishers.push(new Publisher(live.publishUrl(`show-${number}`), ['-stream_loop', '-1', '-i', path, '-c', 'copy']));
  await wait(4000);
}

const forward = (live, platform, server, secret) =>
  live.post('/terraform/v1/ffmpeg/forward/secret', { action: 'update', platform, server, secret, enabled: true });

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function captureAll(directory, wanted) {
  const { Live } = await import('../tests/media/fixtures/live.fixture.ts');
  const { chromium } = await import('playwright-core');
  const live = await Live.start();
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
  const taken = [];
  try {
    for (const [round, prepare] of Object.entries(rounds)) {
      await prepare(live);
      if (!wanted.rounds.includes(round)) continue;
      for (const locale of wanted.locales) {
        for (const scheme of wanted.schemes) {
          taken.push(...(await captureRound(browser, live, { directory, round, locale, scheme, wanted })));
        }
      }
    }
  } finally {
    await Promise.all([browser.close(), ...publishers.map((publisher) => publisher.stop('SIGKILL'))]);
    await live.close();
  }
  writeFileSync(join(directory, 'index.html'), sheet(taken));
  console.log(`${taken.length} pictures: ${join(directory, 'index.html')}`);
}

/** Every page at every width, in one language and scheme. */
async function captureRound(browser, live, { directory, round, locale, scheme, wanted }) {
  const { data } = await live.weir.post('/terraform/v1/mgmt/login', { password: 'the password' });
  const context = await browser.newContext({
    viewport: { width: 1440, height },
    locale,
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  await context.addInitScript((session) => localStorage.setItem('SRS_TERRAFORM_TOKEN', session), JSON.stringify(data));
  const page = await context.newPage();
  const taken = [];
  for (const [name, path] of pages) {
    if (wanted.pages.length > 0 && !wanted.pages.includes(name)) continue;
    await page.goto(`${live.weir.origin}/mgmt/${locale}/${path}`);
    await page.locator('main h1').first().waitFor();
    for (const width of wanted.widths) {
      await page.setViewportSize({ width, height });
      await wait(settlesMs);
      const file = `${name}-${round}-${locale}-${scheme}-${width}.png`;
      await page.screenshot({ path: join(directory, file), fullPage: wanted.isFull });
      taken.push({ name, file, width });
    }
  }
  await context.close();
  return taken;
}

function sheet(taken) {
  const cells = taken.map(
    ({ file, width }) =>
      `<figure><img src="${file}" width="${Math.round(width / 3)}" loading="lazy"><figcaption>${file}</figcaption></figure>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Contact sheet</title><style>body{display:flex;flex-wrap:wrap;gap:16px;font:12px sans-serif}figure{margin:0}</style>${cells.join('')}`;
}

/** `--rounds empty,one`, and so on; everything where nothing is named. */
function listOption(name, all) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? all : (process.argv[at + 1] ?? '').split(',');
}

setUp('test');
if (isNodeNewEnough()) {
  ensureConsole();
  const directory = listOption('into', [join(tmpdir(), 'weir-contact-sheet')])[0];
  mkdirSync(directory, { recursive: true });
  await captureAll(directory, {
    rounds: listOption('rounds', Object.keys(rounds)),
    locales: listOption('locales', ['en', 'zh']),
    schemes: listOption('schemes', ['light', 'dark']),
    widths: listOption('widths', widths.map(String)).map(Number),
    pages: listOption('pages', []),
    isFull: process.argv.includes('--full'),
  });
}
