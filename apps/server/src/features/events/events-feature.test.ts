import { ServerResponse } from 'node:http';
import type { PlaneStates } from '@weir/plane';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { systemClock } from '../../core/clock.ts';
import { FakeMediaServer, published } from '../../media-server/fake-media-server.fixture.ts';

const secret = 'srs-v2-00000000000000000000000000000000';
const patience = { interval: 20 };

async function open(given: Parameters<typeof createReadyApp>[0] = {}) {
  const mediaServer = new FakeMediaServer();
  const app = await createReadyApp({ ...given, mediaServer });
  await app.app.http.fastify.listen({ port: 0, host: '127.0.0.1' });
  const address = app.app.http.fastify.server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const url = `http://127.0.0.1:${port}/terraform/v1/mgmt/events`;
  /** Hears until it leaves; `heard` grows meanwhile. */
  const listen = async (lastId = '', bearer = secret) => {
    const gone = new AbortController();
    onTestFinished(() => gone.abort());
    const headers = { authorization: `Bearer ${bearer}`, ...(lastId && { 'last-event-id': lastId }) };
    const response = await fetch(url, { headers, signal: gone.signal });
    const heard = { text: '', isOver: false };
    void (async () => {
      for await (const chunk of response.body ?? []) heard.text += Buffer.from(chunk).toString();
    })()
      .catch(() => undefined)
      .finally(() => {
        heard.isOver = true;
      });
    return { response, heard, leave: () => gone.abort() };
  };
  return { ...app, mediaServer, listen };
}

const idsIn = (text: string) => [...text.matchAll(/^id: (.+)$/gm)].map(([, id = '']) => id);

it('greets, reports changes, and repeats what a listener missed during a short absence', async () => {
  const { listen, events } = await open();
  const first = await listen();
  expect(first.response.headers.get('content-type')).toBe('text/event-stream');
  await vi.waitFor(() => expect(first.heard.text).toContain('event: hello\ndata: {"isReset":true}'), patience);
  events.emit('stream:published', published('show'));
  await vi.waitFor(() => expect(first.heard.text).toContain('event: changed\ndata: {"topics":["streams"]}'), patience);
  const last = idsIn(first.heard.text).at(-1) ?? '';
  first.leave();
  const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
  events.emit('record:began', { ...place, uuid: 'u' });
  const second = await listen(last);
  await vi.waitFor(() => {
    expect(second.heard.text).toMatch(/data: \{"topics":\[[^\]]*"timeline"/);
    expect(second.heard.text).toMatch(/data: \{"topics":\[[^\]]*"record"/);
  }, patience);
  expect(second.heard.text).toContain('data: {"isReset":false}');
  for (const id of ['nonsense', `${'0'.repeat(12)}-1`, last.replace(/\d+$/, '999')]) {
    const stranger = await listen(id);
    await vi.waitFor(() => expect(stranger.heard.text).toContain('{"isReset":true}'), patience);
  }
});

it('reports the last second, and new alerts', async () => {
  const { listen, mediaServer } = await open();
  const columns = { inKbps: [4500], fps: [30] };
  const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
  const samples = { at: [1000], columns };
  mediaServer.samples = {
    server: { at: [1000], columns: { cpu: [0.5] } },
    streams: [
      { ...place, isLive: true, samples },
      { ...place, stream: 'over', isLive: false, samples },
    ],
  };
  const { heard } = await listen();
  await vi.waitFor(
    () => expect(heard.text).toMatch(/event: samples\ndata: \{"at":1000,.*"stream":"show","values":\[4500,/),
    patience,
  );
  expect(heard.text).not.toContain('over');
  const before = heard.text.length;
  const last = { at: new Date().toISOString(), wanted: false, code: null, signal: 'SIGKILL', reason: 'killed' };
  mediaServer.workerExits = [{ worker: 'srt', count: 2, last }];
  await vi.waitFor(() => expect(heard.text.slice(before)).toContain('{"topics":["alerts"]}'), patience);
});

it('reports changes of features, and processes that end', async () => {
  let planes: PlaneStates | undefined;
  const { listen, call } = await open({
    launcher: { planes: () => planes, restart: () => undefined, waitsFor: () => undefined },
  });
  const { heard } = await listen();
  // Looks are compared with the first, which a change of this kind shows to be over.
  await vi.waitFor(async () => {
    await call('live/room/create', { title: 'Sunday' });
    expect(heard.text).toContain('"rooms"');
  }, patience);
  const hears = (topic: string) => vi.waitFor(() => expect(heard.text).toContain(`"${topic}"`), patience);
  expect(heard.text).not.toContain('"callbacks"');
  await call('mgmt/hooks/apply', { all: true, target: 'http://192.0.2.1/hook' });
  await hears('callbacks');
  await call('ai/ocr/apply', { all: false });
  await hears('ocr');
  expect(heard.text).not.toContain('"programs"');
  await call('live/program/slates', { slates: [{ pattern: '/live/*', seconds: 60 }] });
  await hears('programs');
  const state = { pid: 7, isReady: true, startedAt: '', restarts: 1, lastExit: null };
  planes = { engine: state, server: state };
  await hears('components');
});

it('sends the numbers of what runs each second, and names a slot that changes', async () => {
  const { listen, call } = await open();
  const { heard } = await listen();
  await vi.waitFor(
    () => expect(heard.text.split('event: rows\ndata: {"processes":{},"recordings":{}}').length).toBeGreaterThan(2),
    { interval: 20 },
  );
  const slot = { platform: 'wx', server: 'rtmp://192.0.2.1/live', secret: 'key', enabled: false, custom: false };
  await call('ffmpeg/forward/secret', { action: 'update', ...slot, label: 'Stage' });
  await vi.waitFor(() => expect(heard.text).toContain('{"topics":["forward"]}'), patience);
  const status = await call('mgmt/status');
  expect(status.data.activity).toEqual({ forward: 'idle' });
});

it('needs a sign-in, limits the number of listeners, and ends with the server', async () => {
  const { listen, app } = await open();
  expect((await listen('', 'wrong')).response.status).toBe(401);
  const all: Awaited<ReturnType<typeof listen>>[] = [];
  for (let number = 0; number < 64; number += 1) all.push(await listen());
  expect((await listen()).response.status).toBe(503);
  all[0]?.leave();
  await vi.waitFor(async () => expect((await listen()).response.status).toBe(200), patience);
  await app.close();
  await vi.waitFor(() => expect(all.every(({ heard }) => heard.isOver)).toBe(true), patience);
});

it('sends nothing to a listener whose sign-in has ended, though its connection is still open', async () => {
  // The sign-in is checked each minute.
  const pause = (ms: number, signal?: AbortSignal) => systemClock.pause(ms === 60_000 ? 100 : ms, signal);
  const { listen, events, setUp, post } = await open({ clock: { ...systemClock, pause } });
  const { bearer } = await setUp();
  const { heard } = await listen('', bearer);
  await vi.waitFor(() => expect(heard.text).toContain('event: hello'), patience);
  const faults: Error[] = [];
  const { end } = ServerResponse.prototype;
  vi.spyOn(ServerResponse.prototype, 'end').mockImplementation(function (this: ServerResponse, ...given: unknown[]) {
    this.on('error', (error) => faults.push(error));
    Reflect.apply(end, this, given);
    events.emit('stream:published', published('show'));
    return this;
  });
  await post('/terraform/v1/mgmt/logout', {}, { authorization: `Bearer ${bearer}` });
  await vi.waitFor(() => expect(heard.isOver).toBe(true), patience);
  expect(faults).toEqual([]);
});
