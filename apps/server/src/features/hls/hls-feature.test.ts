import { expect, it, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { WeirError } from '../../core/errors.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';

/** HLS settings that the engine was sent, in order. Other features send theirs beside them. */
const sent = ({ applied }: FakeMediaServer) => applied.flatMap(({ hls }) => hls ?? []);

/** A server that has told its engine the settings of the start; what follows comes from calls. */
async function open(options: Parameters<typeof createReadyApp>[0] = {}) {
  const server = await createReadyApp({ mediaServer: new FakeMediaServer(), ...options });
  await vi.waitFor(() => expect(sent(server.mediaServer)).toHaveLength(1));
  server.mediaServer.applied.length = 0;
  return server;
}

it('sends the saved settings to a starting engine', async () => {
  const store = new MemoryStore();
  await (await open({ store })).call('mgmt/hlsll/update', { hlsLowLatency: true });
  const { mediaServer } = await createReadyApp({ store, mediaServer: new FakeMediaServer() });
  await vi.waitFor(() => expect(mediaServer.applied).toContainEqual({ hls: { noHlsCtx: false, shortSegments: true } }));
});

it('HLS is off by default', async () => {
  const { call } = await open();
  expect((await call('mgmt/hphls/query')).data).toEqual({ noHlsCtx: false });
  expect((await call('mgmt/hlsll/query')).data).toEqual({ hlsLowLatency: false });
});

it('sends both switches to the engine with every change, and keeps them apart', async () => {
  const { call, mediaServer } = await open();
  expect(await call('mgmt/hphls/update', { noHlsCtx: true })).toMatchObject({ code: 0, data: null });
  await call('mgmt/hlsll/update', { hlsLowLatency: true });
  await call('mgmt/hphls/update', {});
  expect(sent(mediaServer)).toEqual([
    { noHlsCtx: true, shortSegments: false },
    { noHlsCtx: true, shortSegments: true },
    { noHlsCtx: false, shortSegments: true },
  ]);
  expect((await call('mgmt/hphls/query')).data).toEqual({ noHlsCtx: false });
  expect((await call('mgmt/hlsll/query')).data).toEqual({ hlsLowLatency: true });
});

it('saves nothing that the engine did not confirm', async () => {
  const { call, mediaServer } = await open();
  mediaServer.isAway = true;
  expect(await call('mgmt/hlsll/update', { hlsLowLatency: true })).toMatchObject({ status: 502, code: 1 });
  expect((await call('mgmt/hlsll/query')).data).toEqual({ hlsLowLatency: false });
});

it('restores the saved settings in the engine when saving fails', async () => {
  const store = new MemoryStore();
  const { call, mediaServer } = await open({ store });
  const confirm = mediaServer.applySettings.bind(mediaServer);
  mediaServer.applySettings = async (settings) => {
    await confirm(settings);
    store.isBroken = true;
  };
  expect(await call('mgmt/hphls/update', { noHlsCtx: true })).toMatchObject({ status: 500, code: 1007 });
  expect(sent(mediaServer).at(-1)).toEqual({ noHlsCtx: false, shortSegments: false });
});

it('keeps engine and store equal when several changes come at once', async () => {
  const { call, mediaServer } = await open();
  const flips = [true, false, true, false, true].map((noHlsCtx) => call('mgmt/hphls/update', { noHlsCtx }));
  await Promise.all([...flips, call('mgmt/hlsll/update', { hlsLowLatency: true })]);
  const { noHlsCtx } = (await call('mgmt/hphls/query')).data;
  expect(sent(mediaServer).at(-1)).toEqual({ noHlsCtx, shortSegments: true });
});

it('passes a refusal of the engine to the caller', async () => {
  const { call, mediaServer } = await open();
  mediaServer.applySettings = () =>
    Promise.reject(new WeirError('engine_unreachable', 'the media engine rejected the settings'));
  expect(await call('mgmt/hphls/update', { noHlsCtx: true })).toMatchObject({ status: 502 });
});
