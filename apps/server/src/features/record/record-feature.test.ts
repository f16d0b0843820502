import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Recording } from '@weir/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp } from '../../app.fixture.ts';
import type { EndedRecording } from '../../core/events.ts';
import { copyDirectory } from './finish/copy-directory.ts';

const api = '/terraform/v1/hooks/record';
const within = { timeout: 30_000, interval: 50 };

/** Two seconds of media each, as the engine would make them. */
function makeSegments(count: number): Buffer[] {
  const directory = mkdtempSync(join(tmpdir(), 'weir-segments-'));
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25', '-f', 'lavfi', '-i', 'sine'],
    ...['-t', String(2 * count), '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-pix_fmt', 'yuv420p'],
    ...['-c:a', 'aac', '-f', 'hls', '-hls_time', '2', '-hls_list_size', '0'],
    ...['-hls_segment_filename', join(directory, '%d.ts'), join(directory, 'x.m3u8')],
  ]);
  return Array.from({ length: count }, (_, index) => readFileSync(join(directory, `${index}.ts`)));
}

let app: Awaited<ReturnType<typeof createTestApp>>;
let segments: Buffer[];
let bearer: string;
const ended: EndedRecording[] = [];
let count = 0;

beforeAll(async () => {
  segments = makeSegments(3);
  app = await createTestApp();
  app.events.on('record:ended', (event) => void ended.push(event));
  bearer = (await app.setUp()).bearer;
  await call('apply', { all: true });
}, 60_000);
afterAll(() => app.close());

const call = (name: string, body: object = {}) =>
  app.post(`${api}/${name}`, body, { authorization: `Bearer ${bearer}` });
const list = async (stream: string) =>
  ((await call('files')).data as Recording[]).filter((recording) => recording.stream === stream);

/** As the engine does: an entry in the spool, then the hook. */
async function announce(stream: string, sequence: number, bytes = segments[sequence % 3]): Promise<void> {
  const directory = join(app.dataDir, 'segments');
  mkdirSync(directory, { recursive: true });
  count++;
  const name = `1700000000000-${String(count).padStart(8, '0')}-00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
  const file = join(directory, `${name}.ts`);
  const facts = { vhost: '__defaultVhost__', app: 'live', stream, client_id: 'c', duration: 2, seq_no: sequence, file };
  writeFileSync(join(directory, `${name}.json`), JSON.stringify(facts));
  writeFileSync(file, bytes ?? '');
  expect(await app.hook('hls', { ...facts, action: 'on_hls' })).toMatchObject({ code: 0 });
}

async function record(stream: string, length = 3): Promise<Recording> {
  for (let sequence = 0; sequence < length; sequence++) await announce(stream, sequence);
  await vi.waitFor(async () => expect(await list(stream)).toMatchObject([{ nn: length }]), within);
  const [recording] = await list(stream);
  if (!recording) throw new Error('not recorded');
  return recording;
}

async function finish({ uuid, stream }: Recording): Promise<Recording> {
  expect(await call('end', { uuid })).toMatchObject({ code: 0, data: null });
  await vi.waitFor(async () => expect(await list(stream)).toMatchObject([{ progress: false }]), within);
  const [recording] = await list(stream);
  if (!recording) throw new Error('gone');
  return recording;
}

const filesOf = ({ uuid }: Recording) => readdirSync(join(app.dataDir, 'record', uuid));

/** What is decoded of a film: the number and a checksum of its pictures. */
function framesIn(file: string): string[] {
  const args = ['-v', 'error', '-xerror', '-i', file, '-map', '0:v', '-f', 'framemd5', '-'];
  return String(execFileSync('ffmpeg', args))
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => line.split(',').at(-1)?.trim() ?? '');
}

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers });

describe('the settings of recording', () => {
  it('are answered to GET and POST, with rules and room', async () => {
    const { data } = await call('query');
    expect(data).toMatchObject({ all: true, globs: [], processCpDir: '', home: join(app.dataDir, 'record') });
    expect(data.storage).toMatchObject({ state: 'ok', limit: '' });
    expect(data.storage.freeBytes).toBeGreaterThan(0);
    const answer = await app.inject({
      method: 'GET',
      url: `${api}/query`,
      headers: { authorization: `Bearer ${bearer}` },
    });
    expect(answer.json()).toMatchObject({ code: 0, data: { all: true } });
  });

  it('keep globs that are some, and name what is wrong with others', async () => {
    expect(await call('globs', { globs: [' /live/* ', ''] })).toMatchObject({ code: 0 });
    expect((await call('query')).data.globs).toEqual(['/live/*']);
    expect(await call('globs', { globs: ['/live/[x'] })).toMatchObject({ status: 422, code: 1004 });
    expect(await call('globs', { globs: ['x'.repeat(65_537)] })).toMatchObject({ status: 422, code: 1004 });
    expect((await call('query')).data.globs).toEqual(['/live/*']);
    expect(await call('globs', { globs: [] })).toMatchObject({ code: 0 });
  });

  it('S13: take a directory for copies below the data directory and nowhere else, whatever links say', async () => {
    mkdirSync(join(app.dataDir, 'mine'));
    symlinkSync('/etc', join(app.dataDir, 'out'));
    symlinkSync(join(app.dataDir, 'config'), join(app.dataDir, 'inner'));
    mkdirSync(join(app.dataDir, 'config'), { recursive: true });
    writeFileSync(join(app.dataDir, 'file'), '');
    const set = (postCpDir: string) => call('post-processing', { postProcess: 'post-cp-file', postCpDir });
    for (const path of [
      ...[
        '/etc',
        '/data/../etc',
        '/data/mine/../../..',
        '/data-other',
        '/database',
        'mine',
        '../x',
        '/',
        '/data',
        '/data/',
      ],
      ...[
        '/data/out',
        '/data/inner',
        '/data/config',
        '/data/record',
        '/data/file',
        '/data/none',
        `${app.dataDir}-other`,
      ],
      '/data/mine\0/etc',
    ])
      expect([path, (await set(path)).code]).toEqual([path, 1004]);
    expect((await call('query')).data.processCpDir).toBe('');
    for (const path of ['/data/mine', './containers/data/mine', join(app.dataDir, 'mine'), '/data/srs-s3-bucket', ''])
      expect([path, (await set(path)).code]).toEqual([path, 0]);
    expect(await call('post-processing', { postProcess: 'rm -rf', postCpDir: '' })).toMatchObject({ code: 1004 });
    expect(await copyDirectory(app.dataDir, './containers/data/mine')).toBe(join(app.dataDir, 'mine'));
  });
});

describe('a recording', () => {
  it('becomes a file and a copy, and its end is told when both are there', async () => {
    await call('post-processing', { postProcess: 'post-cp-file', postCpDir: '/data/mine' });
    const recording = await record('whole');
    expect(recording).toMatchObject({
      app: 'live',
      progress: true,
      state: 'recording',
      duration: 6,
      discontinuities: 0,
    });
    const done = await finish(recording);
    const copy = join(app.dataDir, 'mine', `${done.uuid}.mp4`);
    expect(done).toMatchObject({ state: 'done', copy, failure: '', error: '', thumbnail: true, lost: 0 });
    const file = join(app.dataDir, 'record', done.uuid, 'index.mp4');
    expect(readFileSync(copy)).toEqual(readFileSync(file));
    expect(readdirSync(join(app.dataDir, 'mine'))).toEqual([`${done.uuid}.mp4`]);
    await vi.waitFor(() => expect(ended).toMatchObject([{ uuid: done.uuid, isDone: true, path: file }]));
    expect(readdirSync(join(app.dataDir, 'segments'))).toEqual([]);
    await vi.waitFor(() => expect(filesOf(done).sort()).toEqual(['index.jpg', 'index.mp4', 'segments.log']), within);
    await call('post-processing', { postProcess: 'post-cp-file', postCpDir: '' });
  });

  it('takes no more room than its file once that is verified, and its playlist plays the same out of the file', async () => {
    const done = await finish(await record('lean'));
    const bytesOnDisk = () =>
      filesOf(done).reduce((sum, name) => sum + statSync(join(app.dataDir, 'record', done.uuid, name)).size, 0);
    await vi.waitFor(() => expect(filesOf(done)).not.toContainEqual(expect.stringMatching(/\.(ts|m3u8)$/)), within);
    await vi.waitFor(async () => expect((await list('lean'))[0]?.totalBytes).toBe(bytesOnDisk()), within);
    expect(await list('lean')).toMatchObject([{ ...done, size: done.mp4Bytes, totalBytes: bytesOnDisk() }]);
    const { m3u8 } = (await call('sign', { uuid: done.uuid })).data;
    const playlist = (await get(m3u8)).body;
    expect(playlist).toContain('#EXT-X-ENDLIST');
    expect(playlist.match(/#EXTINF:2\.0\d\d,/g)).toHaveLength(3);
    const uris = playlist.split('\n').filter((line) => line.startsWith('/'));
    const logged = readFileSync(join(app.dataDir, 'record', done.uuid, 'segments.log'), 'utf8');
    for (const uri of uris) expect(logged).toContain(/([0-9a-f-]{36})\.ts\?/.exec(uri)?.[1]);
    const parts = await Promise.all(uris.map((uri) => get(uri)));
    for (const { headers } of parts) expect(headers['content-type']).toBe('video/mp2t');
    const folder = mkdtempSync(join(tmpdir(), 'weir-again-'));
    for (const [index, { rawPayload }] of parts.entries()) writeFileSync(join(folder, `${index}.ts`), rawPayload);
    writeFileSync(
      join(folder, 'x.m3u8'),
      uris.reduce((text, uri, index) => text.replace(uri, `${index}.ts`), playlist),
    );
    expect(framesIn(join(folder, 'x.m3u8'))).toEqual(framesIn(join(app.dataDir, 'record', done.uuid, 'index.mp4')));
    const [first = ''] = uris;
    const whole = parts[0]?.rawPayload ?? Buffer.alloc(0);
    const part = await get(first, { range: 'bytes=188-375' });
    expect([part.statusCode, part.rawPayload]).toEqual([206, whole.subarray(188, 376)]);
    const head = await get(first, {}, 'HEAD');
    expect([head.statusCode, Number(head.headers['content-length'])]).toEqual([200, whole.length]);
    const stranger = first.replace(/[0-9a-f-]{36}\.ts/, '00000000-0000-4000-8000-00000000fffe.ts');
    expect((await get(stranger)).statusCode).toBe(404);
  });

  it('keeps its segments where that is wished, and while somebody plays them', async () => {
    const rule = { floorBytes: 0, quotaBytes: 0, atLimit: 'stop', keepDays: 0, keepBytes: 0 };
    expect(await call('storage', { ...rule, keepSegments: true })).toMatchObject({ code: 0 });
    expect((await call('query')).data.rule.keepSegments).toBe(true);
    const kept = await finish(await record('kept'));
    // The next one is looked after when this one was.
    await call('storage', rule);
    const running = await record('played');
    const { m3u8 } = (await call('sign', { uuid: running.uuid })).data;
    expect((await get(m3u8)).statusCode).toBe(200);
    const played = await finish(running);
    const later = await finish(await record('later'));
    await vi.waitFor(() => expect(filesOf(later)).not.toContain('index.m3u8'), within);
    for (const recording of [kept, played]) {
      expect(filesOf(recording).filter((name) => name.endsWith('.ts'))).toHaveLength(3);
      const [{ totalBytes, size, mp4Bytes } = recording] = await list(recording.stream);
      expect(totalBytes).toBeGreaterThan(size + mp4Bytes);
    }
  });

  it('S23: is played with the credential or by a link to it, and by nobody else', async () => {
    const one = await finish(await record('mine'));
    const other = await finish(await record('theirs'));
    const link = (await call('sign', { uuid: one.uuid })).data;
    const playlist = (await get(link.m3u8)).body;
    const segment = playlist.split('\n').find((line) => line.startsWith('/')) ?? '';
    const paths = [link.m3u8, link.mp4, link.thumbnail, segment, segment.replace('/hls/record/', '/hls/')] as string[];
    for (const path of paths) expect([path, (await get(path)).statusCode]).toEqual([path, 200]);
    for (const path of paths) {
      const bare = path.split('?')[0] ?? '';
      const toOther = path.replace(one.uuid, other.uuid);
      const later = path.replace(/sign=\d+/, 'sign=99999999999');
      for (const [url, headers] of [
        [bare, {}],
        [toOther, {}],
        [later, {}],
        [bare, { authorization: 'Bearer wrong' }],
        [`${bare}?token=wrong`, {}],
        [`${bare}?sign=`, {}],
        [`${bare}?sign=1&sign=2`, {}],
      ] as const) {
        const answer = await get(url, headers);
        expect([url, answer.statusCode, answer.json().code]).toEqual([url, 401, 2001]);
      }
      expect((await get(bare, { authorization: `Bearer ${bearer}` })).statusCode).toBe(200);
      expect((await get(`${bare}?token=${bearer}`)).statusCode).toBe(200);
    }
    // What it names needs no header, also when it was asked for with one, and shows nobody's credential.
    const asked = await get(`${api}/hls/${one.uuid}/index.m3u8?token=${bearer}`);
    expect(asked.body).not.toContain(bearer);
    expect((await get(asked.body.split('\n').find((line) => line.startsWith('/')) ?? '')).statusCode).toBe(200);
  });

  it('S12: has no other paths', async () => {
    const [one] = await list('mine');
    const headers = { authorization: `Bearer ${bearer}` };
    for (const path of [
      ...[
        '',
        'x',
        'x.m3u8',
        '../query',
        '..%2f..%2fweir.db',
        `${one?.uuid}/segments.log`,
        `${one?.uuid}/../../weir.db`,
      ],
      ...[`${one?.uuid}/..%2f${one?.uuid}%2findex.mp4`, `record/${one?.uuid}/x.ts`, `${one?.uuid?.toUpperCase()}.m3u8`],
      '00000000-0000-4000-8000-000000000000.m3u8',
      '00000000-0000-4000-8000-000000000000/index.mp4',
    ])
      expect([path, (await get(`${api}/hls/${path}`, headers)).statusCode]).toEqual([
        path,
        path === '../query' ? 200 : 404,
      ]);
  });

  it('is sent whole, in part, or not at all, with names to save it by', async () => {
    const [one] = await list('mine');
    const { mp4 } = (await call('sign', { uuid: one?.uuid })).data;
    const whole = await get(mp4);
    const { etag = '' } = whole.headers;
    expect(whole.headers).toMatchObject({ 'content-type': 'video/mp4', 'accept-ranges': 'bytes' });
    expect(Number(whole.headers['content-length'])).toBe(one?.mp4Bytes);
    const part = await get(mp4, { range: 'bytes=10-19' });
    expect([part.statusCode, part.headers['content-range'], part.rawPayload]).toEqual([
      206,
      `bytes 10-19/${one?.mp4Bytes}`,
      whole.rawPayload.subarray(10, 20),
    ]);
    expect((await get(mp4, { range: 'bytes=-5' })).rawPayload).toEqual(whole.rawPayload.subarray(-5));
    const beyond = await get(mp4, { range: `bytes=${one?.mp4Bytes}-` });
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${one?.mp4Bytes}`]);
    expect((await get(mp4, { 'if-none-match': String(etag) })).statusCode).toBe(304);
    expect((await get(mp4, { range: 'bytes=0-1', 'if-range': '"other"' })).statusCode).toBe(200);
    const head = await get(mp4, {}, 'HEAD');
    expect([head.statusCode, head.body, Number(head.headers['content-length'])]).toEqual([200, '', one?.mp4Bytes]);
    expect((await get(`${mp4}&download=1`)).headers['content-disposition']).toMatch(
      /^attachment; filename="live-mine-[\d-]+\.mp4"$/,
    );
  });

  it('cannot be removed while it runs, and leaves nothing of itself and everything else', async () => {
    const recording = await record('short', 1);
    const { uuid } = recording;
    const directory = join(app.dataDir, 'record', uuid);
    expect(await call('remove', { uuid })).toMatchObject({ code: 1004 });
    await finish(recording);
    writeFileSync(join(directory, 'notes.txt'), 'of the owner');
    symlinkSync('/etc/hosts', join(directory, '00000000-0000-4000-8000-00000000ffff.ts'));
    expect(await call('remove', { uuid })).toMatchObject({ code: 0 });
    expect(readdirSync(directory)).toEqual(['notes.txt']);
    expect(existsSync('/etc/hosts')).toBe(true);
    expect(await list('short')).toEqual([]);
    for (const body of [{ uuid }, { uuid: '../mine' }, { uuid: 'x' }])
      expect(await call('remove', body)).toMatchObject({ code: 1003 });
    expect(await call('remove')).toMatchObject({ code: 1000 });
    expect(await call('end', { uuid })).toMatchObject({ code: 1003 });
  });

  it('that cannot be finished says why, keeps its segments, and can be tried again', async () => {
    const recording = await record('broken', 1);
    const file = join(
      app.dataDir,
      'record',
      recording.uuid,
      readdirSync(join(app.dataDir, 'record', recording.uuid)).find((name) => name.endsWith('.ts')) ?? '',
    );
    const good = readFileSync(file);
    writeFileSync(file, Buffer.alloc(good.length));
    await call('end', { uuid: recording.uuid });
    await vi.waitFor(async () => expect(await list('broken')).toMatchObject([{ failure: 'ffmpeg', tries: 1 }]), within);
    const [failing] = await list('broken');
    expect(failing).toMatchObject({ state: 'finishing', progress: true });
    expect(failing?.error).not.toBe('');
    expect(failing?.nextTry).not.toBe('');
    writeFileSync(file, good);
    expect(await call('retry', { uuid: recording.uuid })).toMatchObject({ code: 0 });
    await vi.waitFor(async () => expect(await list('broken')).toMatchObject([{ state: 'done', error: '' }]), within);
  });

  it('F02: of publishers that differ is one film all the same', async () => {
    const wide = join(mkdtempSync(join(tmpdir(), 'weir-wide-')), 'wide.ts');
    // Another size, and no sound.
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=200x90:rate=30', '-t', '2', '-c:v', 'libx264'],
      ...['-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-f', 'mpegts', wide],
    ]);
    await announce('mixed', 0);
    await announce('mixed', 10, readFileSync(wide));
    await announce('mixed', 20);
    await vi.waitFor(async () => expect(await list('mixed')).toMatchObject([{ nn: 3 }]), within);
    const [recording] = await list('mixed');
    if (!recording) throw new Error('not recorded');
    const done = await finish(recording);
    expect(done).toMatchObject({ state: 'done', error: '', discontinuities: 2 });
    const file = join(app.dataDir, 'record', done.uuid, 'index.mp4');
    const probe = execFileSync('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'stream=codec_name,width,height,duration',
      '-of',
      'json',
      file,
    ]);
    const { streams } = JSON.parse(String(probe));
    expect(streams).toMatchObject([{ codec_name: 'h264', width: 160, height: 90 }, { codec_name: 'aac' }]);
    for (const { duration } of streams) expect(Math.abs(Number(duration) - 6)).toBeLessThan(0.15);
    const asTimed = ['-fps_mode', 'passthrough', '-enc_time_base', '-1'];
    execFileSync('ffmpeg', ['-v', 'error', '-xerror', '-i', file, ...asTimed, '-f', 'null', '-']);
  });
});
