import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FinishedSegment } from '@weir/engine-api';
import { createLog } from '@weir/plane';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Admission } from '../hub/clients/admission.ts';
import type { ClientInfo } from '../hub/clients/client-info.ts';
import { Hub } from '../hub/hub.ts';
import { HookGate } from './hook-gate.ts';
import { createIdentity } from './identity.ts';
import { SpoolWriter } from './spool-writer.ts';

type Hook = Record<string, unknown>;

/** A way in whose control plane accepts who shows `?secret=right`, and remembers what it was told. */
async function open({ mostWaiting = 100 } = {}) {
  const socketPath = join(mkdtempSync(join(tmpdir(), 'weir-hooks-')), 's');
  const hooks: Hook[] = [];
  let isAway = false;
  let isStale = false;
  let isSilent = false;
  let asked = 0;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const hook: Hook = JSON.parse(text);
    asked += 1;
    if (isSilent) return;
    if (isAway || isStale) {
      isStale = false;
      return void request.socket.destroy();
    }
    hooks.push(hook);
    const isFine = hook.action !== 'on_publish' || hook.param === '?secret=right';
    response.writeHead(isFine ? 200 : 401).end(JSON.stringify({ code: isFine ? 0 : 3000, data: null }));
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const log = createLog('test', 'error');
  log.level = 'silent';
  const spoolDirectory = mkdtempSync(join(tmpdir(), 'weir-spool-'));
  const spool = new SpoolWriter(spoolDirectory, log);
  const gate = new HookGate({ socketPath, token: 'token', identity: createIdentity(), spool, log, mostWaiting });
  const hub = new Hub({ returnMs: 1000, onOpened: () => undefined });
  onTestFinished(async () => {
    hub.close();
    await gate.close();
    server.close();
  });
  const admission = new Admission({ hub, gate, log });
  const publish = (id: string, param: string) =>
    admission.publish({ info: client(id, param), kick: () => undefined, isGone: () => false });
  const setAway = (value: boolean) => {
    isAway = value;
  };
  /** Closes the connection that the next question comes by. */
  const beStale = () => {
    isStale = true;
  };
  const beSilent = () => {
    isSilent = true;
  };
  return { hooks, publish, gate, spoolDirectory, setAway, beStale, beSilent, asked: () => asked };
}

function client(id: string, param: string): ClientInfo {
  return {
    id,
    kind: 'srt-publish',
    address: '198.51.100.7',
    place: { vhost: '__defaultVhost__', app: 'live', name: 'show' },
    param,
    tcUrl: '',
    pageUrl: '',
    connectedAt: new Date(),
  };
}

const place = { url: 'u', m3u8: 'm', m3u8Url: 'mu' };

function segment(file: string, sequence: number, isDiscontinuity: boolean): FinishedSegment {
  const stream = { vhost: '__defaultVhost__', app: 'live', stream: 'show', clientId: 'a' };
  return { id: randomUUID(), format: 'mpegts', ...stream, file, durationMs: 2000, sequence, isDiscontinuity };
}

it('repeats a question on a new connection when the kept connection was closed', async () => {
  const { publish, beStale } = await open();
  await expect(publish('first', '?secret=wrong')).rejects.toThrow('refused');
  beStale();
  await publish('second', '?secret=right');
});

it('does not repeat a question after it is closed', async () => {
  const { publish, gate, beSilent, asked } = await open();
  await expect(publish('first', '?secret=wrong')).rejects.toThrow('refused');
  beSilent();
  const isRefused = expect(publish('second', '?secret=right')).rejects.toThrow('starting or restarting');
  await vi.waitFor(() => expect(asked()).toBe(2));
  await gate.close();
  await isRefused;
  expect(asked()).toBe(2);
});

it('does not repeat a question when a new connection gets no answer', async () => {
  const { publish, beStale, hooks } = await open();
  beStale();
  await expect(publish('first', '?secret=right')).rejects.toThrow('starting or restarting');
  expect(hooks).toEqual([]);
});

it('reports to the control plane whom the engine refused by itself, with protocol and reason', async () => {
  const { hooks, publish } = await open();
  await publish('first', '?secret=right');
  await expect(publish('second', '?secret=right')).rejects.toThrow('already being published');
  await vi.waitFor(() => expect(hooks).toHaveLength(2));
  expect(hooks[1]).toMatchObject({
    action: 'on_publish_refused',
    reason: 'in-use',
    client_id: 'second',
    ip: '198.51.100.7',
    protocol: 'srt',
    app: 'live',
    stream: 'show',
  });
});

it('does not report refusals that the control plane decided', async () => {
  const { hooks, publish } = await open();
  await expect(publish('first', '?secret=wrong')).rejects.toThrow('refused');
  await publish('second', '?secret=right');
  expect(hooks.map(({ action }) => action)).toEqual(['on_publish', 'on_publish']);
});

it('reports segments in order, by a file name that outlives the playlist, and stores no secret with them', async () => {
  const { hooks, gate, spoolDirectory } = await open();
  const directory = mkdtempSync(join(tmpdir(), 'weir-segments-'));
  for (const sequence of [7, 8, 9]) {
    const file = join(directory, `show-${sequence}.ts`);
    writeFileSync(file, `segment ${sequence}`);
    gate.segment(segment(file, sequence, true), client('a', '?secret=right'), place);
  }
  await vi.waitFor(() => expect(hooks).toHaveLength(3));
  expect(hooks.map(({ seq_no }) => seq_no)).toEqual([7, 8, 9]);
  expect(hooks[0]).toMatchObject({ action: 'on_hls', duration: 2, discontinuity: true, app: 'live', stream: 'show' });
  const names = readdirSync(spoolDirectory).sort();
  const media = names.filter((name) => name.endsWith('.ts'));
  expect(hooks.map(({ file }) => file)).toEqual(media.map((name) => join(spoolDirectory, name)));
  expect(media.map((name) => readFileSync(join(spoolDirectory, name), 'utf8'))).toEqual([
    'segment 7',
    'segment 8',
    'segment 9',
  ]);
  const told = names
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFileSync(join(spoolDirectory, name), 'utf8'));
  expect(told.map((text) => JSON.parse(text))).toEqual(hooks);
  expect(told.join('')).not.toContain('secret');
});

it('neither stores nor reports segments while the control plane does not want them', async () => {
  const { hooks, gate, spoolDirectory } = await open();
  const file = join(mkdtempSync(join(tmpdir(), 'weir-segments-')), 'a.ts');
  writeFileSync(file, 'segment');
  for (const [sequence, isWanted] of [true, false, true].entries()) {
    gate.wantedFormats = isWanted ? ['mpegts'] : ['fmp4'];
    gate.segment(segment(file, sequence, false), client('a', ''), place);
  }
  await vi.waitFor(() => expect(hooks.map(({ seq_no }) => seq_no)).toEqual([0, 2]));
  expect(readdirSync(spoolDirectory)).toHaveLength(4);
});

it('reports every end of a stream in order, however many viewers and segments are reported meanwhile', async () => {
  const { hooks, gate, setAway } = await open({ mostWaiting: 10 });
  const file = join(mkdtempSync(join(tmpdir(), 'weir-segments-')), 'a.ts');
  writeFileSync(file, 'segment');
  setAway(true);
  for (let n = 0; n < 50; n++) {
    gate.segment(segment(file, n, false), client('a', ''), place);
    void gate.play(client(`viewer ${n}`, ''));
    gate.stop(client(`viewer ${n}`, ''));
    if (n % 10 === 0) gate.unpublish(client(`publisher ${n}`, ''), 'closed');
  }
  // Longer than the first try of what is sent first.
  await new Promise((resolve) => setTimeout(resolve, 200));
  setAway(false);
  const ids = (action: string) => hooks.filter((hook) => hook.action === action).map((hook) => hook.client_id);
  await vi.waitFor(() => expect(hooks.some(({ seq_no }) => seq_no === 49)).toBe(true));
  expect(ids('on_unpublish')).toEqual([0, 10, 20, 30, 40].map((n) => `publisher ${n}`));
  await vi.waitFor(() => expect(ids('on_stop').at(-1)).toBe('viewer 49'));
  // Events are reported once and in order.
  for (const action of ['on_play', 'on_stop', 'on_hls']) {
    const told = hooks.filter((hook) => hook.action === action).map((hook) => `${hook.client_id} ${hook.seq_no}`);
    expect(new Set(told).size).toBe(told.length);
  }
});

it('never drops the end of a publication, even above the limit of waiting reports', async () => {
  const { hooks, gate, setAway } = await open({ mostWaiting: 3 });
  setAway(true);
  for (let n = 0; n < 4; n++) gate.unpublish(client(`publisher ${n}`, ''), 'closed');
  await new Promise((resolve) => setTimeout(resolve, 100));
  setAway(false);
  await vi.waitFor(() => expect(hooks).toHaveLength(4));
  expect(hooks.map(({ client_id }) => client_id)).toEqual([0, 1, 2, 3].map((n) => `publisher ${n}`));
});
