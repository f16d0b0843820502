import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { streamSampleFields } from '@weir/streams';
import { expect, it, onTestFinished } from 'vitest';
import { createIdentity } from '../../apps/engine/src/api/identity.ts';
import { PrivateApi } from '../../apps/engine/src/api/private-api.ts';
import { serveSamples } from '../../apps/engine/src/api/serve-samples.ts';
import { client, picture, place, sound } from '../../apps/engine/src/hub/frames.fixture.ts';
import { Hub } from '../../apps/engine/src/hub/hub.ts';
import { Sampler } from '../../apps/engine/src/hub/samples/sampler.ts';
import { EmbeddedEngine } from '../../apps/server/src/media-server/embedded-engine.ts';

/** The engine's end and the control plane's, over their socket; time passes as the test says. */
async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'weir-samples-'));
  let nowMs = Date.UTC(2026, 0, 1);
  const hub = new Hub({ returnMs: 15_000 });
  const machine = () => ({ cpu: 0.5, engineCpu: 0.1, memory: 0.5 });
  const sampler = new Sampler({ hub, machine, nowMs: () => nowMs });
  // Samples are taken by hand here.
  sampler.close();
  const api = new PrivateApi({
    socketPath: join(folder, 'engine.sock'),
    version: '1',
    identity: createIdentity(),
    health: () => ({ listeners: [], srtVersion: '', workerExits: [] }),
  });
  serveSamples(api, hub, sampler);
  await api.open();
  onTestFinished(async () => {
    sampler.close();
    hub.close();
    await api.close();
    rmSync(folder, { recursive: true });
  });
  const publication = hub.open(place)?.publish(client());
  let mediaMs = 0;
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      for (let at = 0; at < 1000; at += 40) {
        publication?.frame(picture(mediaMs + at, (mediaMs + at) % 2000 === 0, 1000));
        publication?.frame(sound(mediaMs + at, 100));
      }
      mediaMs += 1000;
      nowMs += 1000;
      sampler.glance();
    }
  };
  return { hub, pass, engine: new EmbeddedEngine(join(folder, 'engine.sock')) };
}

it('the control plane receives what the engine measures: seconds, minutes, viewers', async () => {
  const { hub, pass, engine } = await open();
  const viewer = client('hls-play');
  hub.clients.add(viewer);
  pass(130);
  const wire = { vhost: place.vhost, app: place.app, stream: place.name };
  const { server, streams } = await engine.minutes(0);
  expect(server.at).toHaveLength(2);
  expect(streams).toMatchObject([{ ...wire, isLive: true, samples: { at: server.at } }]);
  expect(Object.keys(streams[0]?.samples.columns ?? {}).sort()).toEqual([...streamSampleFields].sort());
  expect((await engine.minutes(server.at[0] ?? 0)).server.at).toEqual([server.at[1]]);
  const detail = await engine.detail(wire);
  expect(detail?.seconds.columns).toMatchObject({
    fps: expect.arrayContaining([25]),
    hls: expect.arrayContaining([1]),
  });
  expect(detail?.viewers).toMatchObject([{ id: viewer.info.id, protocol: 'hls', rttMs: null }]);
  expect(await engine.detail({ ...wire, stream: 'other' })).toBeUndefined();
  const latest = await engine.latestSamples();
  expect(latest.streams[0]?.samples.columns.pace).toEqual([1]);
  const whole = await engine.serverDetail();
  expect(whole.seconds.columns.cpu?.at(-1)).toBe(0.5);
  expect(whole.openFiles?.used).toBeGreaterThan(0);
});
