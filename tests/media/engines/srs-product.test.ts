import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transcodeDefaults } from '@weir/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFilm } from '../../../apps/server/src/media-sources/media.fixture.ts';
import { pcmOf, textOf, wavOf } from '../../ai/human-speech.fixture.ts';
import { localModels } from '../../local-ai.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { CallbackReceiver } from '../fixtures/callback-receiver.fixture.ts';
import { complaints, Publisher, probe } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { examine, Recordings } from '../fixtures/record.fixture.ts';
import { RtspCamera } from '../fixtures/rtsp-camera.fixture.ts';
import { Srs, srsEnvironment, srsPorts } from './srs.fixture.ts';

const prompt = 'queue-periodic-announce';
const font = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';
const login = { user: 'viewer', password: 'secret' };

let directory = '';
let live: Live;
let srs: Srs;
let receiver: CallbackReceiver;
let camera: RtspCamera;
let ports: Awaited<ReturnType<typeof srsPorts>>;
const publishers: Publisher[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'weir-srs-product-'));
  ports = await srsPorts();
  const models = await localModels();
  [live, receiver, camera] = await Promise.all([
    Live.start({ ...srsEnvironment(ports), SRT_PORT: String(ports.srt), WEIR_MODELS: models }),
    CallbackReceiver.start(),
    RtspCamera.start(login.user, login.password),
  ]);
  const { dataDir } = live.weir;
  const token = readFileSync(join(dataDir, 'config', 'srs-hook-token'), 'utf8').trim();
  srs = await Srs.start(ports, { directory: join(dataDir, 'srs'), token });
});
afterAll(async () => {
  await Promise.all(publishers.map((publisher) => publisher.stop('SIGKILL')));
  await live?.close();
  await Promise.all([srs?.stop(), receiver?.stop(), camera?.close()]);
  rmSync(directory, { recursive: true, force: true });
});

/** A person says a sentence again and again beside a text that stands in the picture. */
function film(): string {
  const [wav, path] = [join(directory, 'said.wav'), join(directory, 'said.mp4')];
  writeFileSync(wav, wavOf(Buffer.concat([pcmOf(prompt), Buffer.alloc(2 * 32_000)])));
  const text = `drawtext=fontfile=${font}:text='ORIGIN 42':fontsize=72:fontcolor=white:x=80:y=140`;
  const picture = ['-f', 'lavfi', '-i', 'color=c=0x203050:s=640x360:r=25', '-i', wav, '-vf', text, '-shortest'];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '25', '-b:v', '600k'];
  const sound = ['-c:a', 'aac', '-b:a', '96k', '-ar', '44100', '-pix_fmt', 'yuv420p'];
  execFileSync('ffmpeg', ['-v', 'error', ...picture, ...coding, ...sound, path]);
  return path;
}

function publish(url: string, path: string, format: 'flv' | 'mpegts' = 'flv'): Publisher {
  const publisher = new Publisher(url, ['-stream_loop', '-1', '-i', path, '-c', 'copy'], format);
  publishers.push(publisher);
  return publisher;
}

const srtUrl = (name: string, mode: 'publish' | 'request') =>
  `srt://127.0.0.1:${ports.srt}?streamid=#!::r=live/${name},m=${mode}`;
const own = (name: string) => ({
  server: `rtmp://127.0.0.1:${ports.rtmp}/live`,
  secret: `${name}?secret=${live.secret}`,
});
const codecsAt = async (url: string) => (await probe(url)).map(({ codec_name }) => codec_name);
const wordsOf = (text: string) => text.toLowerCase().match(/[a-z']+/g) ?? [];
const said = (action: string, stream: string) =>
  receiver.heard.some((event) => event.action === action && event.stream === stream);

async function callWeir(path: string, body: object = {}) {
  const answer = await live.post(`/terraform/v1/${path}`, body);
  expect([path, answer.status, answer.code]).toEqual([path, 200, 0]);
  return answer.data;
}

/** Plays the stream that an outlet produces. */
async function isSent(feature: 'forward' | 'vlive' | 'camera', name: string): Promise<void> {
  const stateOf = async (): Promise<string> => (await callWeir(`ffmpeg/${feature}/streams`))[0]?.process.state;
  await until(async () => (await stateOf()) === 'live', `${feature} is live`).catch(async (error) => {
    throw new Error(`${String(error)}; it is ${JSON.stringify(await callWeir(`ffmpeg/${feature}/streams`))}`);
  });
  expect(await codecsAt(live.http(name, '.flv'))).toEqual(['h264', 'aac']);
}

it('the product has the same features on SRS as on its own engine', async () => {
  const path = film();
  await callWeir('mgmt/hooks/apply', { target: receiver.url, opaque: 'o', all: true });
  await callWeir('hooks/record/apply', { all: true });
  for (const wrong of [live.rtmp('show', '?secret=wrong'), srtUrl('by-srt?secret=wrong', 'publish')]) {
    const refused = publish(wrong, path, wrong.startsWith('srt') ? 'mpegts' : 'flv');
    await until(() => refused.hasEnded, 'a wrong secret is refused');
  }
  const streams = async (): Promise<{ stream: string }[]> => (await callWeir('mgmt/streams/query')).streams;
  expect(await streams()).toEqual([]);

  // Both protocols at once; players use Weir's own ports.
  publish(live.publishUrl('show'), path);
  publish(srtUrl(`by-srt?secret=${live.secret}`, 'publish'), path, 'mpegts');
  const names = async () => (await streams()).map(({ stream }) => stream).sort();
  await until(async () => (await names()).join() === 'by-srt,show', 'both are listed');
  expect(await callWeir('mgmt/streams/query')).toMatchObject({
    streams: expect.arrayContaining([
      expect.objectContaining({ stream: 'by-srt', media: expect.objectContaining({ protocol: 'srt' }) }),
      expect.objectContaining({ stream: 'show', media: expect.objectContaining({ protocol: 'rtmp' }) }),
    ]),
  });
  await until(() => said('on_publish', 'show') && said('on_publish', 'by-srt'), 'both are told of');
  for (const name of ['show', 'by-srt']) {
    expect(await codecsAt(live.http(name, '.flv'))).toEqual(['h264', 'aac']);
    await until(async () => (await fetch(live.http(name, '.m3u8'))).ok, `${name} has HLS`);
    expect(await codecsAt(live.http(name, '.m3u8'))).toEqual(['h264', 'aac']);
  }
  // SRS has no bridge from RTMP to SRT.
  expect(await codecsAt(srtUrl('by-srt', 'request'))).toEqual(['h264', 'aac']);
  expect(await codecsAt(`https://127.0.0.1:${live.weir.httpsPort}/live/show.flv`)).toEqual(['h264', 'aac']);
  expect(await complaints(live.http('show', '.flv'), 3)).toBe('');

  // A reader of streams, a producer, and a consumer of segments.
  await callWeir('ffmpeg/forward/secret', {
    action: 'update',
    platform: 'wx',
    enabled: true,
    stream: 'show',
    ...own('sent'),
  });
  const url = camera.url('/both', `${login.user}:${login.password}`);
  const typed = await callWeir('ffmpeg/camera/stream-url', { url });
  const looked = await callWeir('ffmpeg/camera/source', {
    platform: 'wx',
    files: [{ ...typed, size: 0, type: 'stream' }],
  });
  const rows = { action: 'update', platform: 'wx', enabled: true };
  await callWeir('ffmpeg/camera/secret', { ...rows, files: looked.files, ...own('camera') });
  const { data } = await upload(await makeFilm({ name: 'film.mp4', seconds: 3 }));
  const files = [{ uuid: data.uuid }];
  await callWeir('ffmpeg/vlive/source', { platform: 'wx', files });
  await callWeir('ffmpeg/vlive/secret', { ...rows, files, ...own('film') });
  const transcode = { ...transcodeDefaults, all: true, vpreset: 'ultrafast', vbitrate: 300, stream: 'show' };
  await callWeir('ffmpeg/transcode/apply', { ...transcode, server: own('').server, secret: 'show-trans' });
  await isSent('forward', 'sent');
  await isSent('camera', 'camera');
  await isSent('vlive', 'film');
  await until(async () => (await callWeir('ffmpeg/transcode/task')).process.state === 'live', 'transcoded');
  expect(await codecsAt(live.http('show-trans', '.flv'))).toEqual(['h264', 'aac']);
  for (const feature of ['forward', 'camera', 'vlive'])
    await callWeir(`ffmpeg/${feature}/secret`, { action: 'remove', platform: 'wx' });
  await callWeir('ffmpeg/transcode/apply', { ...transcode, all: false, server: own('').server, secret: 'show-trans' });

  await callWeir('ai/transcript/apply', {
    all: true,
    lang: 'en',
    overlayEnabled: false,
    fixSeconds: 0,
    streams: ['live/show'],
  });
  await callWeir('ai/ocr/apply', { all: true, stream: 'live/by-srt' });
  await until(
    () => receiver.heard.some(({ action, result }) => action === 'on_ocr' && result === 'ORIGIN 42'),
    'its text is read',
    120_000,
  );
  const heard = async () => {
    const [{ uuid }] = (await callWeir('ai/transcript/state')).streams;
    const list = await (
      await fetch(`${live.weir.origin}/terraform/v1/ai/transcript/hls/webvtt/${uuid}/subtitles.m3u8`)
    ).text();
    const cues = await Promise.all(
      [...list.matchAll(/^\/.+\.vtt$/gm)].map(async ([uri]) => (await fetch(live.weir.origin + uri)).text()),
    );
    return cues.join('\n').replace(/^(WEBVTT|X-TIMESTAMP|.* --> ).*$/gm, '');
  };
  const words = [...new Set(wordsOf(textOf(prompt)))];
  const isHeard = async () => {
    const found = new Set(wordsOf(await heard()));
    return words.filter((word) => found.has(word)).length > 0.8 * words.length;
  };
  await until(isHeard, 'it is subtitled', 120_000);

  // The end of the stream reaches every feature.
  const recordings = new Recordings(live);
  const recording = await recordings.wait('show', ({ nn }) => nn >= 3, 'it is recorded');
  await callWeir('mgmt/streams/kickoff', { vhost: '__defaultVhost__', app: 'live', stream: 'show' });
  await until(() => publishers[2]?.hasEnded ?? false, 'its publisher is disconnected');
  await until(() => said('on_unpublish', 'show'), 'its end is told of');
  const { duration } = await recordings.finish(recording);
  const { video, audio, complaints: found } = await examine(recordings.file(recording.uuid, 'index.mp4'));
  expect([video.codec_name, audio.codec_name, found]).toEqual(['h264', 'aac', '']);
  expect(Math.abs(video.endMs / 1000 - duration)).toBeLessThan(1);
  expect(live.weir.output).not.toContain(live.secret);
});

async function upload(path: string): Promise<{ data: { uuid: string } }> {
  const form = new FormData();
  form.set('f', new Blob([readFileSync(path)]), 'film.mp4');
  const address = `${live.weir.origin}/terraform/v1/ffmpeg/vlive/upload/film.mp4`;
  return (await fetch(address, { method: 'POST', body: form, headers: live.headers })).json() as never;
}
