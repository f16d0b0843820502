import { request } from 'node:http';
import { join } from 'node:path';
import { defaultVhost } from '@weir/streams';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../front-door/front-door.fixture.ts';
import { Hub } from '../hub/hub.ts';
import { createIdentity } from './identity.ts';
import { PrivateApi } from './private-api.ts';
import { serveSubtitles } from './serve-subtitles.ts';

const place = { vhost: defaultVhost, app: 'live', stream: 'show' };
const english = { language: 'en', name: 'English', isDefault: true };
const cue = { id: '1', startMs: 0, endMs: 900, text: 'hello' };

async function open() {
  const hub = new Hub({ returnMs: 15_000 });
  const socketPath = join(await temporaryDirectory(), 'engine.sock');
  const api = new PrivateApi({
    socketPath,
    version: '1.2.3',
    identity: createIdentity(),
    health: () => ({ listeners: [], srtVersion: '', workerExits: [] }),
  });
  serveSubtitles(api, hub);
  await api.open();
  onTestFinished(async () => {
    hub.close();
    await api.close();
  });
  const command = (method: string, path: string, body: unknown) =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = request({ socketPath, path, method, agent: false }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      });
      asked.once('error', reject).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  return { stream: hub.open({ vhost: defaultVhost, app: 'live', name: 'show' })?.subtitles, command };
}

test('passes tracks and cues to their stream and reports an unknown stream', async () => {
  const { stream, command } = await open();
  expect(await command('POST', '/weir/v1/cues', { ...place, language: 'en', cues: [cue] })).toBe(404);
  expect(await command('PUT', '/weir/v1/subtitles', { ...place, tracks: [english] })).toBe(200);
  expect(await command('POST', '/weir/v1/cues', { ...place, language: 'en', cues: [cue] })).toBe(200);
  expect(await command('PUT', '/weir/v1/subtitles', { ...place, stream: 'other', tracks: [english] })).toBe(404);
  expect(stream?.tracks).toEqual([english]);
  expect([...(stream?.shelf('en')?.all() ?? [])]).toEqual([{ ...cue, arrivedMs: 0 }]);
});

test('changes nothing for a malformed, oversized or wrongly sent request', async () => {
  const { stream, command } = await open();
  for (const body of ['', '{', 'null', '[]', '{"tracks":[]}', { ...place, tracks: [{}] }, 'x'.repeat(1_100_000)])
    expect(await command('PUT', '/weir/v1/subtitles', body)).toBe(422);
  expect(await command('POST', '/weir/v1/subtitles', { ...place, tracks: [english] })).toBe(405);
  expect(await command('GET', '/weir/v1/cues', '')).toBe(405);
  expect(await command('PUT', '/weir/v1/toString', {})).toBe(404);
  expect(stream?.tracks).toEqual([]);
});
