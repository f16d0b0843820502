import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { previewTicket } from '@weir/plane';
import { defaultVhost } from '@weir/streams';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CallerReader } from '../../http/caller.ts';
import { HttpExchange } from '../../http/exchange.ts';
import { serveHttp } from '../../http/http-server.fixture.ts';
import { Reply } from '../../http/reply.ts';
import { Refused } from '../../hub/clients/gate.ts';
import { Hub } from '../../hub/hub.ts';
import { CueServer } from './cue-server.ts';

const english = { language: 'en', name: 'English', isDefault: true };
const cue = (id: string, startMs = 0) => ({ id, startMs, endMs: startMs + 900, text: `says ${id}\nand more` });

async function open(options: Partial<ConstructorParameters<typeof CueServer>[0]> = {}) {
  const hub = new Hub({ returnMs: 15_000 });
  const stream = hub.open({ vhost: defaultVhost, app: 'live', name: 'show' });
  if (!stream) throw new Error('no stream');
  const server = new CueServer({ hub, ...options });
  const tools = { reply: new Reply('1.2.3'), callers: new CallerReader([]) };
  const port = await serveHttp((req, res) => server.serve(new HttpExchange(req, res, tools)));
  onTestFinished(async () => {
    hub.close();
    await server.close();
  });
  const sendRequest = (path: string, method = 'GET') =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request({ port, path, method, agent: false }, resolve).once('error', reject).end();
    });
  const listen = async (path = '/live/show.cues') => {
    const answer = await sendRequest(path);
    let text = '';
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    answer.on('error', () => undefined);
    const events = () =>
      [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, name, data = '']) => ({ name, ...JSON.parse(data) }));
    return { answer, events, isOver: once(answer, 'close') };
  };
  return { hub, stream, subtitles: stream.subtitles, server, sendRequest, listen };
}

test('sends the tracks and the recent cues, then each new cue as it comes', async () => {
  const { subtitles, listen } = await open();
  subtitles.setTracks([english]);
  subtitles.add('en', [cue('a')]);
  const { answer, events } = await listen('/live/show.cues?token=t');
  expect(answer.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  });
  await vi.waitFor(() => expect(events()).toHaveLength(3));
  expect(events()).toEqual([
    { name: 'time', nowMs: 0 },
    { name: 'tracks', nowMs: 0, tracks: [english] },
    { name: 'past', nowMs: 0, knownMs: 0, language: 'en', cues: [cue('a')] },
  ]);
  subtitles.add('en', [cue('b')]);
  subtitles.setTracks([]);
  await vi.waitFor(() => expect(events()).toHaveLength(5));
  expect(events().slice(3)).toEqual([
    { name: 'cues', nowMs: 0, language: 'en', cues: [cue('b')] },
    { name: 'tracks', nowMs: 0, tracks: [] },
  ]);
});

test('refuses a connection for a stream without subtitles and for an unknown stream', async () => {
  const { subtitles, sendRequest } = await open();
  expect((await sendRequest('/live/show.cues')).statusCode).toBe(204);
  expect((await sendRequest('/live/other.cues')).statusCode).toBe(404);
  subtitles.setTracks([english]);
  expect((await sendRequest('/live/show.cues', 'POST')).statusCode).toBe(405);
  expect((await sendRequest('/live/show.cues', 'HEAD')).statusCode).toBe(200);
});

test('sends keep-alives, and ends with the stream', async () => {
  const { stream, subtitles, listen } = await open({ beatMs: 20 });
  subtitles.setTracks([english]);
  const { events, isOver } = await listen();
  await vi.waitFor(() => expect(events().filter(({ name }) => name === 'time').length).toBeGreaterThan(2));
  stream.close();
  await isOver;
  expect(events().at(-1)).toEqual({ name: 'end', nowMs: 0 });
});

test('disconnects a listener that does not read, while another gets everything', async () => {
  const { subtitles, sendRequest } = await open({ perNetwork: { network: 2, site: 2, region: 2 } });
  subtitles.setTracks([english]);
  await sendRequest('/live/show.cues');
  let heard = 0;
  (await sendRequest('/live/show.cues')).setEncoding('latin1').on('data', (chunk: string) => {
    heard += chunk.split('event: cues').length - 1;
  });
  // Cues are added singly, so that only the other listener falls behind, until the backlog exceeds the system's
  // buffers.
  const text = 'x'.repeat(200_000);
  let status = 503;
  for (let count = 1; status === 503 && count < 200; count++) {
    subtitles.add('en', [{ ...cue(String(count)), text }]);
    await vi.waitFor(() => expect(heard).toBe(count), { interval: 2 });
    status = (await sendRequest('/live/show.cues')).statusCode ?? 0;
  }
  expect(status).toBe(200);
});

test('limits the connections of a network, and frees their places on disconnect', async () => {
  const { subtitles, sendRequest, listen } = await open({ perNetwork: { network: 1, site: 1, region: 1 } });
  subtitles.setTracks([english]);
  const { answer } = await listen();
  expect((await sendRequest('/live/show.cues')).statusCode).toBe(503);
  answer.destroy();
  await vi.waitFor(async () => expect((await sendRequest('/live/show.cues')).statusCode).toBe(200));
});

test("reads a protected stream to the console's own player, and to nobody with the ticket of another stream", async () => {
  const access = {
    resolve: () => undefined,
    ruleOf: () => ({ id: 'rule' }),
    assertMayWatch: () => Promise.reject(new Refused('no link')),
    mayGoOnWatching: () => false,
  } as unknown as NonNullable<ConstructorParameters<typeof CueServer>[0]['access']>;
  const { subtitles, listen, sendRequest } = await open({ access, ownToken: 'token of this start' });
  subtitles.setTracks([english]);
  const ticketOf = (stream: string) =>
    previewTicket('token of this start', { vhost: defaultVhost, app: 'live', stream }, Date.now() + 60_000);
  const { answer, events } = await listen(`/live/show.cues?weir-preview=${ticketOf('show')}`);
  expect(answer.statusCode).toBe(200);
  await vi.waitFor(() => expect(events().map(({ name }) => name)).toContain('tracks'));
  for (const query of ['', `?weir-preview=${ticketOf('other')}`, '?weir-preview=x.y']) {
    expect((await sendRequest(`/live/show.cues${query}`)).statusCode).toBe(403);
  }
});
