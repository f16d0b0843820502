import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { childrenOf, isAlive, until } from '../weir.fixture.ts';
import { complaints, inputs, Publisher, probe } from './fixtures/ffmpeg.fixture.ts';
import { Live } from './fixtures/live.fixture.ts';
import { Replay, record } from './fixtures/replay.fixture.ts';

const run = promisify(execFile);

/** A flash and a beep at each full second, so that what is seen and what is heard can be compared. */
const flash =
  "color=black:size=320x180:rate=25,drawbox=color=white:t=fill:enable='lt(mod(t,1),0.2)',drawbox=x=0:y=0:w=8:h=8:color=gray:t=fill";
const beep = "aevalsrc='if(lt(mod(t,1),0.2),0.8*sin(2*PI*1000*t),0)':s=48000";
const source = ['-f', 'lavfi', '-i', flash, '-f', 'lavfi', '-i', beep];
const picture = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-g', '25', '-pix_fmt', 'yuv420p'];
const opus = ['-c:a', 'libopus', '-ac', '2', '-frame_duration', '20'];

const h264 = { codec_type: 'video', codec_name: 'h264', width: 320, height: 180 };
const aac = { codec_type: 'audio', codec_name: 'aac', sample_rate: '48000', channels: 2 };

let live: Live;
let replay: Replay | undefined;
let publisher: Publisher | undefined;
beforeAll(async () => {
  live = await Live.start();
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
});
afterAll(() => live.close());
afterEach(async () => {
  await replay?.stop();
  await publisher?.stop('SIGKILL');
  replay = undefined;
  publisher = undefined;
});

function converters(): number[] {
  const name = (pid: number) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  return childrenOf(live.weir.pidOf('engine')).filter((pid) => isAlive(pid) && name(pid) === 'ffmpeg');
}

/** By how much the beep comes after its flash, in seconds, as a player of this address has it; positive is late. */
async function lateness(url: string, seconds: number): Promise<number[]> {
  const filters = ['-vf', 'blackdetect=d=0.3:pix_th=0.3', '-af', 'silencedetect=n=-20dB:d=0.3'];
  const args = [
    '-hide_banner',
    '-rw_timeout',
    '15000000',
    '-i',
    url,
    '-t',
    String(seconds),
    ...filters,
    '-f',
    'null',
    '-',
  ];
  const { stderr } = await run('ffmpeg', args, { timeout: 60_000 });
  const times = (pattern: RegExp) => [...stderr.matchAll(pattern)].map(([, time]) => Number(time));
  const seen = times(/black_end:([\d.]+)/g);
  const heard = times(/silence_end: ([\d.]+)/g);
  // The last black is ended by the end of the recording, not by a flash.
  return seen.slice(0, -1).flatMap((at) => {
    const nearest = heard.toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at))[0];
    return nearest === undefined ? [] : [nearest - at];
  });
}

async function streamFacts(name: string) {
  const answer: object = await live.post('/api/v1/streams?count=100');
  const { streams } = answer as { streams: { name: string; weir: unknown }[] };
  return streams.find((stream) => stream.name === name)?.weir;
}

it('converts nothing without a viewer that needs it', async () => {
  const bFrames = [...inputs.both, '-tune', 'film', '-profile:v', 'main', '-bf', '2'];
  publisher = new Publisher(live.publishUrl('plain'), bFrames);
  await until(() => live.isLive('plain'), 'live');
  expect(await complaints(live.http('plain', '.flv'), 2)).toBe('');
  expect(converters()).toEqual([]);
  expect(await streamFacts('plain')).toMatchObject({
    bFrames: true,
    renditions: {
      classic: { audio: 'direct', video: 'direct', isRunning: false },
      webrtc: { audio: 'converted', video: 'converted', isRunning: false },
    },
  });
});

describe('a publisher with Opus', () => {
  it('is heard as AAC over RTMP, HTTP-FLV and HLS, together with its video', async () => {
    const items = record(...source, ...picture, ...opus, '-t', '14');
    replay = await Replay.start(live.weir.rtmpPort, `opus?secret=${live.secret}`, items);
    await until(() => live.isLive('opus'), 'live');
    const [flv, rtmp, late, said] = await Promise.all([
      probe(live.http('opus', '.flv')),
      probe(live.rtmp('opus')),
      lateness(live.http('opus', '.flv'), 4.5),
      complaints(live.rtmp('opus'), 3),
    ]);
    expect(flv).toMatchObject([h264, aac]);
    expect(rtmp).toMatchObject([h264, aac]);
    expect(said).toBe('');
    expect(late.length).toBeGreaterThanOrEqual(2);
    for (const seconds of late) expect(Math.abs(seconds)).toBeLessThan(0.045);
    expect(converters()).toHaveLength(1);
    expect(await streamFacts('opus')).toMatchObject({
      bFrames: false,
      renditions: {
        classic: { audio: 'converted', video: 'direct', isRunning: true },
        webrtc: { audio: 'direct', video: 'direct', isRunning: false },
      },
    });

    const playlist = live.http('opus', '.m3u8');
    const [hls, lateByHls, low] = await Promise.all([
      probe(playlist),
      lateness(playlist, 4.5),
      fetch(live.http('opus', '.ll.m3u8')).then((response) => response.text()),
    ]);
    expect(hls).toMatchObject([h264, aac]);
    expect(lateByHls.length).toBeGreaterThanOrEqual(2);
    for (const seconds of lateByHls) expect(Math.abs(seconds)).toBeLessThan(0.045);
    expect(low).toMatch(/CODECS="avc1\.[^"]+,mp4a\.40\.2"/);
    // One conversion serves all players from the first frame on, without a restart.
    expect(await (await fetch(playlist)).text()).not.toContain('DISCONTINUITY');
  });
});

// Last, because the engine comes back on other ports.
it('F07: leaves no conversion behind when the engine is killed', async () => {
  const items = record(...source, ...picture, ...opus, '-t', '4');
  replay = await Replay.start(live.weir.rtmpPort, `killed?secret=${live.secret}`, items);
  await until(() => converters().length === 1, 'converting');
  const [pid = 0] = converters();
  const engine = live.weir.pidOf('engine');
  process.kill(engine, 'SIGKILL');
  await until(() => !isAlive(pid), 'no orphan');
  await live.weir.replaced('engine', engine);
});
