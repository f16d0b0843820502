import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Demuxed, flvKind, flvTimestamp, writeFlvBody, writeFlvConfig } from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import { RtmpClientSession } from '@weir/media/rtmp-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../weir.fixture.ts';
import { complaints, probe } from './ffmpeg.fixture.ts';
import { Live } from './live.fixture.ts';

const hevc = { codec_type: 'video', codec_name: 'hevc', width: 320, height: 180 };
let live: Live;
beforeAll(async () => {
  live = await Live.start();
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
});
afterAll(() => live.close());

/** Twelve seconds of H.265 and AAC, as an encoder makes them. Debian's ffmpeg cannot send H.265 by RTMP itself. */
function recorded(): Demuxed[] {
  const directory = mkdtempSync(join(tmpdir(), 'weir-hevc-'));
  const file = join(directory, 'clip.ts');
  const picture = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x180:rate=25',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440:sample_rate=44100',
  ];
  const codecs = [
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-x265-params',
    'log-level=none:keyint=25:bframes=0',
    '-c:a',
    'aac',
  ];
  execFileSync('ffmpeg', ['-v', 'error', ...picture, ...codecs, '-t', '12', '-f', 'mpegts', file]);
  const demuxer = new MpegTsDemuxer();
  const items = [...demuxer.push(readFileSync(file)), ...demuxer.flush()];
  rmSync(directory, { recursive: true });
  return items;
}

it('carries H.265 from enhanced RTMP to HLS and low-latency HLS', async () => {
  const items = recorded();
  const socket = connect(live.weir.rtmpPort, '127.0.0.1');
  await once(socket, 'connect');
  const tcUrl = `rtmp://127.0.0.1:${live.weir.rtmpPort}/live`;
  const client = new RtmpClientSession({ mode: 'publish', app: 'live', tcUrl, name: `hevc?secret=${live.secret}` });
  const flush = () => {
    const bytes = client.takeOutput();
    if (bytes) socket.write(bytes);
  };
  let hasStarted = false;
  socket.on('data', (chunk: Buffer) => {
    for (const { type } of client.push(chunk)) if (type === 'started') hasStarted = true;
    flush();
  });
  flush();
  await until(() => hasStarted, 'publishing');

  const beganAt = performance.now();
  let isSending = true;
  const send = async () => {
    for (const item of items) {
      if (!isSending) return;
      if (item.type === 'metadata') continue;
      const { kind, dtsMs } = item.type === 'frame' ? item.frame : { kind: item.config.kind, dtsMs: 0 };
      const body = item.type === 'frame' ? writeFlvBody(item.frame) : writeFlvConfig(item.config);
      // Real time, from the first frame on.
      await until(() => !isSending || performance.now() - beganAt >= dtsMs - 2000, 'its time', 30_000);
      client.sendMedia(flvKind[kind], item.type === 'frame' ? flvTimestamp(item.frame) : 0, body);
      flush();
    }
  };
  const sending = send();
  const streams = await probe(live.http('hevc', '.m3u8'));
  expect(streams).toMatchObject([hevc, { codec_type: 'audio', codec_name: 'aac' }]);
  expect(await complaints(live.http('hevc', '.m3u8'), 2)).toBe('');
  const low = await (await fetch(live.http('hevc', '.ll.m3u8'))).text();
  expect(low).toMatch(/CODECS="hvc1\.[^"]+,mp4a\.40\.2"/);
  isSending = false;
  await sending;
  socket.destroy();
});
