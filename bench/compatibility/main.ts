// Which clients really play and publish here, with their versions, as the tables of docs/compatibility.md:
//   npm run bench -- compatibility               all of them, some minutes
//   npm run bench -- compatibility VLC Firefox   those only; the others stay in the tables as they were found last
// Clients that are not installed are named as such (Debian: ffmpeg vlc-bin vlc-plugin-base vlc-plugin-access-extra mpv gstreamer1.0-tools
// gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-libav chromium firefox-esr obs-studio xvfb xauth). FFMPEG_RECENT names an ffmpeg of version 6.1 or later
// for enhanced RTMP. Player libraries come from npm into a folder beside the other results of benchmarks. Judged by the frames and the audio
// that were decoded and by freezes, never by how a program ended.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Publisher } from '../../tests/media/fixtures/ffmpeg.fixture.ts';
import { Live } from '../../tests/media/fixtures/live.fixture.ts';
import { freeUdpPort } from '../../tests/media/fixtures/udp-proxy.fixture.ts';
import { until } from '../../tests/weir.fixture.ts';
import { hasSegments } from '../playback/stage.ts';
import { BenchResult } from '../results.ts';
import { type AnyBrowser, openChromium, openFirefox } from './browsers.ts';
import { describeOutcome, failed, type Outcome } from './outcome.ts';
import { playByFfmpeg, programPlayers, readVersion } from './programs.ts';
import { publisherClients, publishInBrowser } from './publishers.ts';
import { type Found, writeTables } from './tables.ts';
import { libraryText, libraryVersion, playInPage, webPlayers } from './web-players.ts';

const root = join(import.meta.dirname, '../..');
const libraries = join(root, '.cache/bench/players');
const results = join(root, 'docs/compatibility.json');
const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.some((word) => name.includes(word));

const found: Found[] = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : [];

const result = new BenchResult('compatibility');

const date = new Date().toISOString().slice(0, 10);

function note(measured: Omit<Found, 'date'>): void {
  const one = { ...measured, date };
  const at = found.findIndex(({ side, client }) => side === one.side && client === one.client);
  if (at === -1) found.push(one);
  else found[at] = one;
  result.add(one);
  writeFileSync(results, `${JSON.stringify(found, undefined, 2)}\n`);
}

function installLibraries(): void {
  mkdirSync(libraries, { recursive: true });
  writeFileSync(join(libraries, 'package.json'), '{"private":true}');
  const names = webPlayers.flatMap(({ library }) => library?.package ?? []);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...names], { cwd: libraries });
}

async function tryAll(protocols: Record<string, () => Promise<Outcome>>): Promise<Found['outcomes']> {
  const outcomes: Record<string, Found['outcomes'][string]> = {};
  for (const [protocol, attempt] of Object.entries(protocols)) {
    const outcome = await attempt().catch((error) => failed(String(error.message)));
    outcomes[protocol] = { verdict: describeOutcome(outcome), ...outcome };
  }
  return outcomes;
}

const rtcPort = await freeUdpPort();
const live = await Live.start({ WEIR_RTC_LISTEN: `127.0.0.1:${rtcPort}`, RTC_PORT: String(rtcPort) });
await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
const source = new Publisher(live.publishUrl('show'));
await until(() => live.isLive('show'), 'live');
// Some segments for players of HLS.
await sleep(10_000);

const addresses = {
  'HTTP-FLV': live.http('show', '.flv'),
  HLS: live.http('show', '.m3u8'),
  'LL-HLS': live.http('show', '.ll.m3u8'),
  WHEP: `${live.weir.origin}/rtc/v1/whep/?app=live&stream=show&eip=127.0.0.1`,
  RTMP: live.rtmp('show'),
  SRT: `srt://127.0.0.1:${live.weir.srtPort}?streamid=#!::r=live/show,m=request`,
};

async function playInPrograms(): Promise<void> {
  for (const { name, program, version, play } of programPlayers.filter((player) => isWanted(player.name))) {
    const known = await readVersion(program, version);
    const protocols = ['HTTP-FLV', 'HLS', 'LL-HLS', 'RTMP', 'SRT'] as const;
    const attempts = Object.fromEntries(protocols.map((protocol) => [protocol, () => play(addresses[protocol])]));
    note({ side: 'player', client: name, version: known, outcomes: known ? await tryAll(attempts) : {} });
  }
}

async function playInBrowser(browser: AnyBrowser): Promise<void> {
  const version = await browser.version();
  const rows = new Map<string, { version: string; attempts: Record<string, () => Promise<Outcome>> }>();
  for (const { name, library, protocols, script } of webPlayers) {
    const client = library ? `${name} in ${browser.name}` : browser.name;
    const named = library ? `${libraryVersion(libraries, library)} in ${version}` : version;
    const attempts: Record<string, () => Promise<Outcome>> = rows.get(client)?.attempts ?? {};
    for (const protocol of protocols)
      attempts[protocol] = async () => {
        const page = await browser.open(`${live.weir.origin}/terraform/v1/mgmt/versions`);
        try {
          return await playInPage(page, library ? libraryText(libraries, library) : '', script, addresses[protocol]);
        } finally {
          await page.close();
        }
      };
    rows.set(client, { version: named, attempts });
  }
  for (const [client, { version: named, attempts }] of rows)
    note({ side: 'player', client, version: named, outcomes: await tryAll(attempts) });
}

/** Address that carries the codec of a publisher to Debian's ffmpeg. It reads only H.264 from FLV; browsers choose their codec. */
function suffixFor(protocol: string): '.flv' | '.m3u8' | '.ll.m3u8' {
  if (protocol.endsWith('H.265')) return '.m3u8';
  return protocol.endsWith('AV1') || protocol === 'WHIP' ? '.ll.m3u8' : '.flv';
}

/** Decodes the media of a publisher with ffmpeg. */
async function judge(name: string, protocol: string, stop: () => Promise<unknown>): Promise<Outcome> {
  const suffix = suffixFor(protocol);
  try {
    await until(() => live.isLive(name), `${name} is live`, 20_000);
    // A player that starts with the first segment waits for each of the next ones.
    if (suffix !== '.flv') await until(() => hasSegments(live, name, suffix), `${name} has segments`, 30_000);
    return await playByFfmpeg('ffmpeg', live.http(name, suffix));
  } finally {
    await stop();
  }
}

async function publishFromPrograms(): Promise<void> {
  for (const { name, program, version, publish } of publisherClients.filter((client) => isWanted(client.name))) {
    const known = await readVersion(program, version);
    const attempts = Object.fromEntries(
      Object.entries(publish).map(([protocol, start]) => {
        const stream = `${name}-${protocol}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
        return [protocol, () => judge(stream, protocol, start(live, stream))];
      }),
    );
    note({ side: 'publisher', client: name, version: known, outcomes: known ? await tryAll(attempts) : {} });
  }
}

try {
  await playInPrograms();
  if (isWanted('Chromium') || isWanted('Firefox')) installLibraries();
  for (const [name, program, open] of [
    ['Chromium', 'chromium', openChromium],
    ['Firefox', 'firefox-esr', openFirefox],
  ] as const) {
    if (!isWanted(name)) continue;
    if ((await readVersion(program, ['--version'])) === undefined) {
      note({ side: 'player', client: name, version: undefined, outcomes: {} });
      continue;
    }
    const browser = await open();
    await playInBrowser(browser);
    const stream = `${name.toLowerCase()}-whip`;
    const outcomes = await tryAll({
      WHIP: async () => judge(stream, 'WHIP', await publishInBrowser(browser, live, stream)),
    });
    note({ side: 'publisher', client: name, version: await browser.version(), outcomes });
    await browser.close();
  }
  await publishFromPrograms();
  writeTables(join(root, 'docs/compatibility.md'), found);
} finally {
  await source.stop('SIGKILL');
  await live.close();
}
process.exit(0);
