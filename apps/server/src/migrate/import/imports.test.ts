import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import words from '../../../../web/src/locales/en/settings/imports.json' with { type: 'json' };
import { describeItem } from '../plan-import.ts';
import { parseBraceConfig } from './brace-config.ts';
import type { ImportPart } from './import-part.ts';
import { importMediamtx } from './mediamtx-import.ts';
import { importNginxRtmp } from './nginx-rtmp-import.ts';
import { importRestreamer } from './restreamer-import.ts';
import { importSrs } from './srs-import.ts';

const now = new Date('2026-03-01T00:00:00Z');
const textOf = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8');
const rowsOf = (parts: readonly ImportPart[]) =>
  parts.flatMap(({ rows }) => rows.map(({ collection, value }) => ({ collection, ...JSON.parse(value) })));
const leftOf = (parts: readonly ImportPart[]) =>
  parts.filter(({ rows }) => rows.length === 0).map((part) => Object.values(describeItem(part, words)).join(': '));

describe('an import', () => {
  it('of SRS takes over destinations, sources, recording, callbacks and HLS, and names the rest', () => {
    const parts = importSrs(textOf('srs.conf'), now);
    expect(rowsOf(parts)).toMatchObject([
      { collection: 'hls', noHlsCtx: true },
      { collection: 'record', all: true, globs: ['/live/show', '/live/news'] },
      { collection: 'forward', server: 'rtmp://relay.example:1935/live', secret: '', enabled: false },
      { collection: 'forward', server: 'rtmp://push.example/live', secret: 'key-one', enabled: false },
      { collection: 'hooks', target: 'http://127.0.0.1:8085/api/v1/streams', all: true },
      { collection: 'camera', label: 'door', enabled: false },
      { collection: 'source', path: 'rtsp://user:pass@camera.example/1', type: 'stream' },
    ]);
    expect(leftOf(parts)).toEqual([
      'Port 1936: set WEIR_RTMP_LISTEN=1936 in the environment of the server',
      'Port 10081: set WEIR_SRT_LISTEN=10081 in the environment of the server',
      'WebRTC candidate: set CANDIDATE=192.0.2.10 in the environment of the server',
      'Callback on_play: its URL differs; all events go to one URL here',
      'Source file: only network addresses can be pulled',
      '__defaultVhost__ transcode: set it up under Transcode; the options differ',
      '__defaultVhost__ security: use stream keys and watch rules',
      'Vhost second.example: settings apply to every host here',
    ]);
  });

  it('of nginx-rtmp takes over destinations, sources and recording, and runs no program', () => {
    const parts = importNginxRtmp(textOf('nginx.conf'), now);
    expect(rowsOf(parts)).toMatchObject([
      { collection: 'record', all: true, globs: ['/live/*'] },
      { collection: 'forward', server: 'rtmp://a.rtmp.example/live2', secret: 'abcd-1234', enabled: false },
      { collection: 'forward', server: 'rtmp://b.example/app', secret: '' },
      { collection: 'camera', label: 'live/one' },
      { collection: 'source', path: 'rtmp://source.example/live/one' },
    ]);
    expect(leftOf(parts).map((line) => line.split(':')[0])).toEqual([
      'live on_publish',
      'live allow',
      'live deny',
      'live exec',
      'vod play',
      'Application vod',
    ]);
  });

  it('of MediaMTX takes over sources and recording, and names users, programs and patterns', () => {
    const parts = importMediamtx(textOf('mediamtx.yml'), now);
    expect(rowsOf(parts)).toMatchObject([
      { collection: 'record', all: true, globs: ['/live/door', '/event/stage'] },
      { collection: 'camera', label: 'door' },
      { collection: 'source', path: 'rtsp://camera.example:554/stream1' },
    ]);
    expect(leftOf(parts).map((line) => line.split(':')[0])).toEqual([
      'Port 1936',
      'Port 8890',
      'Port 8189',
      'Users',
      'event/stage runOnReady',
      'Source pi',
      'Recording of ~^cam.*$',
    ]);
  });

  it('of Restreamer reads its database, a list of processes and the state of old versions', () => {
    const expected = [
      { collection: 'camera', label: 'ingest:one' },
      { collection: 'source', path: 'rtsp://camera.example/1' },
      { collection: 'forward', server: 'rtmps://a.rtmp.example/live2', secret: 'key-of-channel', enabled: false },
    ];
    const database = textOf('restreamer.json');
    expect(rowsOf(importRestreamer(database, now))).toMatchObject(expected);
    const list = JSON.stringify(Object.values(JSON.parse(database).process));
    expect(rowsOf(importRestreamer(list, now))).toMatchObject(expected);
    const state = { addresses: { srcAddress: 'rtsp://c.example/1', optionalOutputAddress: 'rtmp://d.example/a/k' } };
    expect(rowsOf(importRestreamer(JSON.stringify(state), now)).map(({ collection }) => collection)).toEqual([
      'camera',
      'source',
      'forward',
    ]);
  });

  it.each(['x {', '}', '{', 'x { y', ';', 'a;'.repeat(30_000), 'a{'.repeat(50)])('refuses the blocks %j', (text) =>
    expect(() => parseBraceConfig(text)).toThrow(/block|directive/),
  );

  it('refuses files of another kind, and YAML that grows', () => {
    const bomb = `a: &a [x, x]\n${Array.from({ length: 20 }, (_, n) => `b${n}: &b${n} [*a, *a]`).join('\n')}\npaths: {}\n`;
    for (const text of [bomb, 'a: [', '- 1', 'x: 1', '']) expect(() => importMediamtx(text, now)).toThrow('the file');
    for (const text of ['', '{}', '[1]', '{"process": 1}'])
      expect(() => importRestreamer(text, now)).toThrow('no export');
    expect(rowsOf(importSrs('vhost x { forward { destination -f file:/etc/passwd; } }', now))).toEqual([]);
    const [{ name } = { name: '' }] = importSrs(`vhost \u001b[2J${'x'.repeat(5000)} { exec on; }`, now);
    expect(name).toMatch(/^\[2Jx{190,} ?/);
    expect(name.length).toBeLessThanOrEqual(200);
  });
});
