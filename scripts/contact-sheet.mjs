// npm run contact-sheet: every page of the console and of viewers in both languages, light and dark, wide and narrow, empty, with one stream, with
// many and in trouble, as pictures and as one sheet of them, outside the repository.
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureConsole, isNodeNewEnough, setUp } from './setup.mjs';

const widths = [1440, 1024, 390];
const height = 900;
/** Time for pictures and figures to arrive, and for the page to follow another width. */
const settlesMs = { page: 1500, width: 400 };

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function captureAll(directory, wanted) {
  const { FilledServer, fillings } = await import('../tests/e2e/fixtures/filled-server.fixture.ts');
  const { chromium } = await import('playwright-core');
  const server = await FilledServer.start();
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
  const taken = [];
  try {
    for (const filling of fillings) {
      await server.fill(filling);
      if (!wanted.fillings.includes(filling)) continue;
      for (const locale of wanted.locales) {
        for (const scheme of wanted.schemes) {
          taken.push(...(await captureRound(browser, server, { directory, filling, locale, scheme, wanted })));
        }
      }
    }
  } finally {
    await Promise.all([browser.close(), server.close()]);
    writeFileSync(join(directory, 'index.html'), sheet(taken));
  }
  console.log(`${taken.length} pictures: ${join(directory, 'index.html')}`);
}

/** Every page at every width, in one language and scheme. */
async function captureRound(browser, server, { directory, filling, locale, scheme, wanted }) {
  const { walkTo } = await import('../tests/e2e/fixtures/console-walk.fixture.ts');
  const { weir } = server.live;
  const { data } = await weir.post('/terraform/v1/mgmt/login', { password: 'the password' });
  const taken = [];
  const capture = async (pages, goTo, session) => {
    const context = await browser.newContext({ locale, colorScheme: scheme, reducedMotion: 'reduce' });
    await context.addInitScript((stored) => stored && localStorage.setItem('SRS_TERRAFORM_TOKEN', stored), session);
    const page = await context.newPage();
    for (const [name, path] of pages) {
      if (wanted.pages.length > 0 && !wanted.pages.includes(name)) continue;
      await goTo(page, path);
      await wait(settlesMs.page);
      for (const width of wanted.widths) {
        await page.setViewportSize({ width, height });
        await wait(settlesMs.width);
        const file = `${name}-${filling}-${locale}-${scheme}-${width}.png`;
        await page.screenshot({ path: join(directory, file), fullPage: wanted.isFull });
        taken.push({ name, file, width });
      }
    }
    await context.close();
  };
  const toConsole = (page, path) => walkTo(page, `${weir.origin}/mgmt/${locale}/${path}`);
  await capture(await server.pages(), toConsole, JSON.stringify(data));
  await capture(await server.viewerPages(), (page, path) => page.goto(weir.origin + path), '');
  return taken;
}

function sheet(taken) {
  const cells = taken.map(
    ({ file, width }) =>
      `<figure><img src="${file}" width="${Math.round(width / 3)}" loading="lazy"><figcaption>${file}</figcaption></figure>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Contact sheet</title><style>body{display:flex;flex-wrap:wrap;gap:16px;font:12px sans-serif}figure{margin:0}</style>${cells.join('')}`;
}

/** `--fillings empty,one`, and so on; everything where nothing is named. */
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
    fillings: listOption('fillings', ['empty', 'one', 'many', 'error']),
    locales: listOption('locales', ['en', 'zh']),
    schemes: listOption('schemes', ['light', 'dark']),
    widths: listOption('widths', widths.map(String)).map(Number),
    pages: listOption('pages', []),
    isFull: process.argv.includes('--full'),
  });
}
