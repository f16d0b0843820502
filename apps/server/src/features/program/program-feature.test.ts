import { transcodeDefaults } from '@weir/contract';
import { describe, expect, it, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';

const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
const client = { client_id: 'c1', server_id: 'vid-1', ip: '198.51.100.7', app: 'live', stream: 'show' };
const both = [{ kind: 'publisher' }, { kind: 'backup', name: 'Second' }, { kind: 'slate' }];

async function open() {
  const mediaServer = new FakeMediaServer();
  const server = await createReadyApp({ mediaServer });
  const secret: string = (await server.call('hooks/srs/secret/query')).data.publish;
  const save = (fields: object = {}) =>
    server.call('live/program/save', { app: 'live', stream: 'show', inputs: both, ...fields });
  const publish = (shown: string, stream = 'show') =>
    server.hook('verify', { ...client, stream, action: 'on_publish', param: `?secret=${shown}` });
  const heard: string[] = [];
  server.events.on('stream:published', () => void heard.push('published'));
  server.events.on('stream:ended', () => void heard.push('ended'));
  server.events.on('input:ended', ({ input }) => void heard.push(`ended ${input}`));
  return { ...server, mediaServer, secret, save, publish, heard };
}

describe('a publisher of a stream with a program', () => {
  it('is the input whose key it shows, and needs the usual secret for the usual input', async () => {
    const { save, publish, secret, heard } = await open();
    const { data } = await save();
    expect(data.inputs.map(({ id }: { id: string }) => id)).toEqual(['publisher', 'backup', 'slate']);
    const key: string = data.inputs[1].key;
    expect(key).toHaveLength(32);
    expect((await publish(secret)).data).toMatchObject({ input: 'publisher', program: { ...place, isLasting: true } });
    expect((await publish(key)).data).toMatchObject({ input: 'backup' });
    expect(await publish('wrong')).toMatchObject({ status: 401 });
    expect((await publish(secret, 'other')).data).toBeNull();
    await vi.waitFor(() => expect(heard).toEqual(['published']));
  });

  it('is the usual input with a stream key, and is disconnected when that is revoked', async () => {
    const { save, publish, call, mediaServer } = await open();
    await save();
    const { data } = await call('hooks/srs/keys/create', { name: 'Stage B', streams: ['live/*'] });
    expect((await publish(data.secret)).data).toMatchObject({ input: 'publisher' });
    expect((await call('hooks/srs/keys/query')).data.keys).toMatchObject([{ live: [{ stream: 'show' }] }]);
    await call('hooks/srs/keys/revoke', { uuid: data.key.uuid });
    expect(mediaServer.kicked).toContain('c1');
    expect(await publish(data.secret)).toMatchObject({ status: 401 });
  });

  it('is the backup by its key alone, also while no secret is required', async () => {
    const { save, publish, call } = await open();
    const { data } = await save();
    await call('hooks/srs/secret/disable', { pubNoAuth: true });
    expect((await publish('anything')).data).toMatchObject({ input: 'publisher' });
    expect((await publish(data.inputs[1].key)).data).toMatchObject({ input: 'backup' });
  });

  it('is refused where the program has no input for it', async () => {
    const { save, publish, secret } = await open();
    await save({ inputs: [{ kind: 'backup' }, { kind: 'slate' }] });
    expect(await publish(secret)).toMatchObject({ status: 401 });
  });

  it('leaves as an input, and the stream ends with its program', async () => {
    const { save, hook, heard } = await open();
    await save();
    await hook('verify', { ...client, client_id: 'program', action: 'on_publish', program: true });
    await hook('verify', { ...client, action: 'on_unpublish', input: 'publisher' });
    await vi.waitFor(() => expect(heard).toEqual(['published', 'ended publisher']));
    await hook('verify', { ...client, client_id: 'program', action: 'on_unpublish' });
    await vi.waitFor(() => expect(heard).toEqual(['published', 'ended publisher', 'ended']));
  });

  it('gets a slate behind it where a rule says so', async () => {
    const { call, publish, secret } = await open();
    expect(await call('live/program/slates', { slates: [{ pattern: '/live/*', seconds: 30 }] })).toMatchObject({
      code: 0,
    });
    expect((await publish(secret)).data).toMatchObject({
      input: 'publisher',
      program: { isLasting: false, slate: { mostMs: 30_000 } },
    });
    await call('live/program/slates', { slates: [] });
    expect((await publish(secret)).data).toBeNull();
  });
});

describe('a program', () => {
  it('is sent to the engine when it is saved, changed and removed, and survives with its keys', async () => {
    const { save, call, mediaServer } = await open();
    const { data } = await save();
    expect(mediaServer.applied.at(-1)?.programs).toMatchObject([place]);
    const changed = await save({ uuid: data.uuid, inputs: [data.inputs[1], data.inputs[0]] });
    expect(changed.data.inputs[0]).toEqual(data.inputs[1]);
    const listed = (await call('live/program/query')).data;
    expect(listed).toMatchObject({ isAvailable: true, programs: [{ uuid: data.uuid, onAir: '' }] });
    await save({ uuid: data.uuid, enabled: false });
    expect(mediaServer.applied.at(-1)?.programs).toEqual([]);
    expect(await call('live/program/remove', { uuid: data.uuid })).toMatchObject({ code: 0 });
    expect((await call('live/program/query')).data.programs).toEqual([]);
  });

  it.each([
    [{ inputs: [{ kind: 'slate' }] }, /needs one beside its slate/],
    [{ inputs: [{ kind: 'slate' }, { kind: 'publisher' }] }, /slate must be the last/],
    [{ inputs: [{ kind: 'publisher' }, { kind: 'publisher' }] }, /there can be one publisher/],
    [{ inputs: [{ kind: 'stream', stream: 'live/show' }] }, /made from itself/],
    [{ inputs: [{ kind: 'stream', stream: 'show' }] }, /stream must be app\/name/],
    [{ inputs: [{ kind: 'pull', url: 'file:///etc/passwd' }] }, /./],
    [{ inputs: [{ kind: 'file', files: ['none'] }] }, /not a source/],
    [{ inputs: [{ kind: 'backup', key: 'short' }] }, /at least 8 characters/],
    [{ stream: 'a/../b' }, /not a valid name/],
    [{ failMs: 10 }, /failMs/],
    [{ vhost: 'x'.repeat(10_000) }, /vhost/],
    [{ vhost: 'a/..' }, /vhost: is not a valid name/],
    [{ inputs: Array.from({ length: 11 }, () => ({ kind: 'backup' })) }, /inputs/],
    [{ inputs: [{ kind: 'backup', id: '\u0001main' }] }, /id/],
    [{ inputs: [{ kind: 'backup', name: 'x'.repeat(81) }] }, /name/],
    [{ inputs: [{ kind: 'backup', key: 'x'.repeat(129) }] }, /key/],
    [{ inputs: [{ kind: 'stream', stream: '../live/other' }] }, /stream must be app\/name/],
    [
      {
        inputs: [
          { kind: 'publisher', id: 'a' },
          { kind: 'backup', id: 'a' },
        ],
      },
      /id of its own/,
    ],
    [{ frozenSeconds: -1 }, /frozenSeconds/],
  ])('S24: is refused with %j', async (fields, message) => {
    const { save, mediaServer } = await open();
    const answer = await save(fields);
    expect(answer.status).toBe(422);
    expect(answer.data.message).toMatch(message);
    expect(mediaServer.applied.flatMap(({ programs }) => programs ?? [])).toEqual([]);
  });

  it('is refused in words when what is saved later would lead its output into its own input', async () => {
    const { save, call } = await open();
    await save({ inputs: [{ kind: 'publisher' }, { kind: 'stream', stream: 'live/raw' }] });
    const to = { action: 'update', enabled: true, server: 'rtmp://localhost/live', secret: 'raw' };
    const words = /lead the output of a program into its own input \(live\/raw ← live\/show ← live\/raw\)/;
    const refused = async (answer: ReturnType<typeof call>) =>
      expect((await answer).data).toMatchObject({ message: expect.stringMatching(words) });
    await refused(call('ffmpeg/forward/secret', { ...to, platform: 'wx', stream: 'live/show' }));
    expect((await call('ffmpeg/forward/secret')).data).toEqual({});
    const transcode = { ...transcodeDefaults, all: true, stream: 'show', server: to.server, secret: to.secret };
    await refused(call('ffmpeg/transcode/apply', transcode));
    expect((await call('ffmpeg/transcode/query')).data).toMatchObject({ all: false });
    // A destination may be saved while it is off; saving the program finds the loop.
    expect(
      await call('ffmpeg/forward/secret', { ...to, platform: 'wx', stream: 'live/show', enabled: false }),
    ).toMatchObject({
      code: 0,
    });
    await call('ffmpeg/forward/secret', { ...to, platform: 'wx', secret: 'second', stream: 'live/show' });
    const answer = await save({ stream: 'other', inputs: [{ kind: 'stream', stream: 'live/second' }] });
    expect(answer.code).toBe(0);
    const looped = await save({ stream: 'raw', inputs: [{ kind: 'stream', stream: 'live/second' }] });
    expect(looped.data.message).toMatch(/made from itself/);
  });

  it('S24: calls with an unknown program or input are refused, and another program’s key opens nothing', async () => {
    const { save, call, publish } = await open();
    const { uuid, inputs } = (await save()).data;
    const key = inputs[1].key;
    const other = await save({ stream: 'other', inputs: [{ kind: 'publisher' }, { kind: 'backup', key }] });
    expect([other.status, other.data.message]).toEqual([422, expect.stringContaining('a key of its own')]);
    await save({ stream: 'other', inputs: [{ kind: 'publisher' }, { kind: 'backup' }] });
    expect(await publish(key, 'other')).toMatchObject({ status: 401 });
    for (const name of ['switch', 'rehearse', 'preview', 'remove']) {
      expect(await call(`live/program/${name}`, { uuid: '../../x', input: 'main' })).toMatchObject({ status: 404 });
    }
    expect(await save({ uuid: 'x', stream: 'third' })).toMatchObject({ status: 404 });
    expect(await call('live/program/preview', { uuid, input: '\u0001' })).toMatchObject({ status: 404 });
    expect((await call('live/program/switch', { uuid, input: 'x'.repeat(1000) })).status).toBe(422);
  });

  it('cannot be made from another program that is made from it', async () => {
    const { save } = await open();
    await save({ inputs: [{ kind: 'stream', stream: 'live/two' }] });
    const answer = await save({ stream: 'two', inputs: [{ kind: 'stream', stream: 'live/show' }] });
    expect(answer.data.message).toContain('__defaultVhost__/live/two ← __defaultVhost__/live/show');
  });

  it('is refused in words with a separate SRS', async () => {
    const { save, mediaServer, call } = await open();
    mediaServer.lacks = ['programs'];
    expect((await save()).data.message).toContain('WEIR_ENGINE=srs');
    expect((await call('live/program/query')).data.isAvailable).toBe(false);
  });

  it('reports a lost main input as an alert while a backup is on air', async () => {
    const { save, call, mediaServer } = await open();
    await save();
    const input = {
      fit: 'same',
      silentMs: 0,
      goodMs: 0,
      kbps: 0,
      fps: 0,
      video: '',
      audio: '',
      protocol: '',
      clientId: '',
      fault: '',
    } as const;
    mediaServer.running = [
      {
        ...place,
        onAir: 'backup',
        onAirAtMs: 1000,
        armed: '',
        isHeld: false,
        inputs: [
          { ...input, id: 'publisher', state: 'lost' },
          { ...input, id: 'backup', state: 'good' },
        ],
        switches: [{ fromId: 'publisher', toId: 'backup', reason: 'closed', atMs: 1000, gapMs: 60 }],
        gaps: [],
      },
    ];
    const { alerts } = (await call('mgmt/status')).data;
    expect(alerts).toMatchObject([
      { kind: 'program', severity: 'warn', subject: 'live/show', label: 'Second', cause: 'closed' },
    ]);
    const [row] = (await call('live/program/query')).data.programs;
    expect(row).toMatchObject({ onAir: 'backup', switches: [{ to: 'backup', gapMs: 60 }] });
    expect(await call('live/program/switch', { uuid: row.uuid, input: 'slate' })).toMatchObject({ code: 0 });
    expect(mediaServer.switched).toEqual(['slate']);
    expect(await call('live/program/switch', { uuid: row.uuid, input: 'none' })).toMatchObject({ status: 404 });
  });

  it('loops only files that were checked', async () => {
    const { call } = await open();
    const unknown = { uuid: '3b1f6c1e-5f7e-4b0e-9a52-0d3f3a1f7a11', name: 'film.mp4', type: 'upload' };
    expect(await call('live/program/files', { files: [unknown] })).toMatchObject({ status: 422 });
    expect(await call('live/program/files', { files: [] })).toMatchObject({ status: 422 });
  });

  it('reports each switch to the receiver', async () => {
    const { save, hook, events } = await open();
    await save();
    const told: unknown[] = [];
    events.on('program:switched', (event) => void told.push(event));
    const report = { ...place, fromId: 'publisher', toId: 'slate', reason: 'closed', atMs: 1, gapMs: 60 };
    expect(await hook('program', report)).toMatchObject({ code: 0 });
    await vi.waitFor(() =>
      expect(told).toEqual([{ ...place, from: 'publisher', to: 'slate', reason: 'closed', gapMs: 60 }]),
    );
  });
});
