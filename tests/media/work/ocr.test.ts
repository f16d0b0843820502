import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AiProvider } from '../../ai-provider.fixture.ts';
import { localModels } from '../../local-ai.fixture.ts';
import { madeOnce } from '../../made-once.fixture.ts';
import { childrenOf, until } from '../../weir.fixture.ts';
import { CallbackReceiver } from '../fixtures/callback-receiver.fixture.ts';
import { Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';

const api = (name: string) => `/terraform/v1/ai/ocr/${name}`;
const font = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';
/** Segments of two seconds; the text changes with every second one. */
const text = "text='SCORE %{eif\\:100+floor(t/4)\\:d}'";
/** Four minutes, longer than all tests take together. */
const film = () =>
  madeOnce(
    [
      ...['-f', 'lavfi', '-i', 'color=c=0x203050:s=1280x720:r=10'],
      ...['-vf', `drawtext=fontfile=${font}:${text}:fontsize=72:fontcolor=white:x=200:y=300`],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-g', '10'],
      ...['-b:v', '800k', '-t', '240'],
    ],
    'flv',
  );

interface Told {
  readonly request_id: string;
  readonly result: string;
  readonly tsid: string;
  readonly seqno: number;
  readonly time: string;
  readonly image_url: string;
}

let live: Live;
let provider: AiProvider;
let receiver: CallbackReceiver;
let publisher: Publisher;

beforeAll(async () => {
  const models = await localModels();
  [live, provider, receiver] = await Promise.all([
    Live.start({ WEIR_MODELS: models }),
    AiProvider.start(),
    CallbackReceiver.start(),
  ]);
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  await live.post('/terraform/v1/mgmt/hooks/apply', { target: receiver.url, opaque: 'o', all: true });
  publisher = new Publisher(live.publishUrl('show'), ['-stream_loop', '-1', '-i', film(), '-c', 'copy']);
});
afterAll(async () => {
  await publisher?.stop('SIGKILL');
  await Promise.all([live?.close(), provider?.close(), receiver?.stop()]);
});

const told = () => receiver.heard.filter(({ action }) => action === 'on_ocr') as unknown as Told[];
const state = async () => (await live.post(api('state'))).data;

it('built-in AI reads what changes in a stream, reports each text once, and returns after kill -9', async () => {
  const { data } = await live.post(api('apply'), { all: true });
  await until(() => told().length >= 2, 'two texts are read', 90_000);
  const isAi = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('apps/ai/');
  process.kill(childrenOf(live.weir.pidOf('server')).find(isAi) ?? 0, 'SIGKILL');
  const before = told().length;
  await until(() => told().length > before, 'it reads again', 90_000);
  const texts = told().map(({ result }) => result);
  expect(texts.every((one) => /^SCORE 1\d\d$/.test(one))).toBe(true);
  expect(new Set(texts).size).toBe(texts.length);
  const { called, skipped, failed, provider: by, stream } = await state();
  expect([by.by, stream, failed]).toEqual(['built-in', 'live/show', 0]);
  expect(skipped.unchanged).toBeGreaterThanOrEqual(called - 2);
  const [first] = told();
  expect(first).toMatchObject({ uuid: data.uuid, app: 'live', stream: 'show', opaque: 'o', seqno: expect.any(Number) });
  expect(Math.abs(Date.parse(first?.time ?? '') - Date.now())).toBeLessThan(120_000);
});

it('the image of a callback opens with its token only', async () => {
  const address = new URL(told().at(-1)?.image_url ?? '');
  const open = (query: string) => fetch(live.weir.origin + address.pathname + query);
  const image = await open(address.search);
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect([...new Uint8Array(await image.arrayBuffer()).subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
  expect((await open('')).status).toBe(401);
  expect((await open(`?token=${address.searchParams.get('token')?.slice(0, -1)}x`)).status).toBe(401);
});

it('a model of a provider is asked about every segment, and callbacks continue', async () => {
  const own = { aiSecretKey: 'sk-test', aiBaseURL: provider.baseURL, aiChatModel: 'gpt-4o', aiChatMaxWords: 30 };
  const settings = { ...own, aiChatPrompt: 'Which score?', aiChatMaxWindow: 2, skipUnchanged: false };
  await live.post(api('apply'), { all: true, ...settings });
  // More than the ten that one task keeps.
  await until(() => told().length >= 11, 'eleven in all', 120_000);
  expect(told().at(-1)).toMatchObject({ result: 'WEIR 42', prompt: 'Which score?' });
  const numbers = told().map(({ seqno }) => seqno);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  const bodies = provider.asked.map(({ body }) => JSON.parse(body.toString()));
  expect(bodies[0].messages).toMatchObject([
    { role: 'system' },
    { role: 'user', content: [{ text: 'Which score?' }, {}] },
  ]);
  expect(bodies.at(-1).messages).toHaveLength(1 + 4 + 1);
  const { segments, count } = (await live.post(api('cleanup-queue'))).data;
  expect(count).toBeLessThanOrEqual(10);
  expect(segments.at(-1)).toMatchObject({ outcome: 'called', answeredBy: provider.host, ocr: 'WEIR 42', duration: 2 });
  expect(segments.at(-1).eic).toBeGreaterThan(0);
  expect(segments.at(-1).cbc).toBeGreaterThan(0);
});

it('a provider that fails costs texts, which are counted, and kill -9 of the server loses none', async () => {
  provider.mood = 'fails';
  await until(async () => (await state()).failed > 0, 'a picture is given up');
  await until(async () => (await state()).cause === 'provider-error', 'it says why');
  await live.weir.crashServer();
  provider.mood = 'well';
  const before = told().length;
  await until(() => told().length >= before + 3, 'it goes on');
  const { taken, called, skipped, failed, live: waiting, ocr } = await state();
  const decided = called + failed + skipped.unchanged + skipped.interval + skipped.off + skipped.dropped;
  expect(decided + waiting + ocr).toBe(taken);
  // A callback in progress at the kill is repeated with the same id.
  const of = (name: 'tsid' | 'request_id') => told().map((one) => one[name]);
  expect(new Set(of('request_id')).size).toBe(new Set(of('tsid')).size);
  expect(of('tsid').length - new Set(of('tsid')).size).toBeLessThanOrEqual(1);
});

it('OCR stops, and a reset leaves nothing behind', async () => {
  const { config, task } = (await live.post(api('query'))).data;
  await live.post(api('apply'), { ...config, all: false });
  const { data } = await live.post(api('reset'), { uuid: task.uuid });
  expect(data.uuid).not.toBe(task.uuid);
  expect((await live.post(api('cleanup-queue'))).data.count).toBe(0);
  expect(readdirSync(join(live.weir.dataDir, 'ocr'))).toEqual([]);
});
