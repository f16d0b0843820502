import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSegmentHook, parseSegmentSource } from '@weir/engine-api';
import { createLog } from '@weir/plane';
import { expect, it, onTestFinished } from 'vitest';
import { SegmentSpool } from './segment-spool.ts';
import { SrsSegments } from './srs-segments.ts';

const told = {
  action: 'on_hls',
  client_id: 'c1',
  vhost: '__defaultVhost__',
  app: 'live',
  stream: 'show',
  duration: 4.02,
  seq_no: 3,
  cwd: '/nowhere',
  file: './live/show-3.ts',
  url: 'live/show-3.ts',
  param: '?secret=of-the-publisher',
};

async function open() {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-srs-segments-'));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(request.url?.includes('gone') ? 404 : 200).end('over HTTP');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const directory = join(dataDir, 'segments');
  const spool = new SegmentSpool(directory, createLog('test', 'error'));
  const { port } = server.address() as AddressInfo;
  const segments = new SrsSegments({ dataDir, servers: [`http://127.0.0.1:${port}`], spool });
  const keep = (change: object = {}) => {
    const body = { ...told, ...change };
    return segments.keep(parseSegmentHook(body), parseSegmentSource(body));
  };
  return { dataDir, directory, spool, keep, asked };
}

it('gives a segment of a shared folder a second name, and stores nothing of its publisher', async () => {
  const { dataDir, spool, keep, asked } = await open();
  mkdirSync(join(dataDir, 'srs/live'), { recursive: true });
  const made = join(dataDir, 'srs/live/show-3.ts');
  writeFileSync(made, 'shared');
  const { file, ...kept } = await keep({ cwd: join(dataDir, 'srs') });
  expect(kept).toMatchObject({ stream: 'show', clientId: 'c1', durationMs: 4020, sequence: 3 });
  expect(statSync(file).ino).toBe(statSync(made).ino);
  expect(asked).toEqual([]);
  // State after a restart.
  const [waiting] = await spool.list();
  expect(waiting && (await spool.read(waiting))).toEqual({ ...kept, file });
  expect(readFileSync(file.replace(/ts$/, 'json'), 'utf8')).not.toContain('of-the-publisher');
});

it('fetches segments that it does not see in the folder, from that server only', async () => {
  const { keep, asked } = await open();
  const { file } = await keep({ url: 'live/a b?#-3.ts' });
  expect(readFileSync(file, 'utf8')).toBe('over HTTP');
  expect(asked).toEqual(['/live/a%20b%3F%23-3.ts']);
});

it.each([{ url: '../../x.ts' }, { url: '' }, { url: 'live/gone-3.ts' }])(
  'leaves nothing behind of %j',
  async (change) => {
    const { directory, keep } = await open();
    await expect(keep(change)).rejects.toThrow();
    expect(readdirSync(directory)).toEqual([]);
  },
);

it('removes unfinished files', async () => {
  const { directory, spool, keep } = await open();
  await keep();
  writeFileSync(join(directory, 'x.ts.tmp'), 'half');
  await spool.clear();
  expect(readdirSync(directory)).toHaveLength(2);
});
