import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Live } from '../../tests/media/fixtures/live.fixture.ts';
import { Obs } from '../../tests/media/fixtures/obs.fixture.ts';
import type { AnyBrowser } from './browsers.ts';

type Start = (live: Live, name: string) => () => Promise<unknown>;

/** A program that publishes; each protocol returns how it is stopped. */
interface PublisherClient {
  readonly name: string;
  readonly program: string;
  readonly version: readonly string[];
  readonly publish: Partial<Record<'RTMP' | 'RTMP H.265' | 'RTMP AV1' | 'SRT' | 'SRT H.265', Start>>;
}

const clips = join(import.meta.dirname, '../../.cache/bench/clips');

const encoders = {
  h264: ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p'],
  h265: [
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-x265-params',
    'log-level=none:keyint=25:bframes=0',
    '-tag:v',
    'hvc1',
  ],
  av1: ['-c:v', 'libaom-av1', '-cpu-used', '8', '-usage', 'realtime', '-row-mt', '1'],
} as const;

/** Half a minute of a moving picture and a tone, encoded once by Debian's ffmpeg. */
function encodedClip(codec: keyof typeof encoders): string {
  const file = join(clips, `${codec}.mp4`);
  if (existsSync(file)) return file;
  mkdirSync(clips, { recursive: true });
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25', '-f', 'lavfi', '-i', 'sine=sample_rate=48000'];
  const audio = ['-c:a', 'aac', '-ac', '2', '-b:a', '96k'];
  const video = [...encoders[codec], '-g', '25', '-b:v', '500k'];
  execFileSync('ffmpeg', ['-v', 'error', ...source, ...video, ...audio, '-t', '30', '-y', file]);
  return file;
}

const rtmpUrl = (live: Live, name: string) => live.publishUrl(name);
const srtUrl = (live: Live, name: string) =>
  `srt://127.0.0.1:${live.weir.srtPort}?streamid=#!::r=live/${name}?secret=${live.secret},m=publish`;

const byFfmpeg =
  (program: string, codec: keyof typeof encoders, format: 'flv' | 'mpegts'): Start =>
  (live, name) => {
    const url = format === 'flv' ? rtmpUrl(live, name) : srtUrl(live, name);
    const input = ['-re', '-stream_loop', '-1', '-i', encodedClip(codec), '-c', 'copy'];
    const child = spawn(program, ['-v', 'error', ...input, '-f', format, url], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return stopper(child);
  };

function stopper(child: ChildProcess): () => Promise<unknown> {
  return async () => child.kill('SIGKILL');
}

/** A test picture and a tone, encoded by GStreamer itself. */
function gstreamer(muxer: string, sink: readonly string[]): ChildProcess {
  const picture = 'videotestsrc is-live=true ! video/x-raw,width=640,height=360,framerate=25/1 ! videoconvert';
  const h264 = '! openh264enc gop-size=25 bitrate=500000 ! h264parse ! queue ! mux.';
  const sound = 'audiotestsrc is-live=true ! audioconvert ! audioresample ! audio/x-raw,rate=48000,channels=2';
  const aac = '! avenc_aac ! aacparse ! queue ! mux.';
  const words = `${picture} ${h264} ${sound} ${aac} ${muxer} name=mux !`.split(' ');
  return spawn('gst-launch-1.0', ['-q', ...words, ...sink], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** An ffmpeg of version 6.1 or later, the first with enhanced RTMP; Debian 12 has 5.1. */
const recentFfmpeg = process.env.FFMPEG_RECENT;

export const publisherClients: readonly PublisherClient[] = [
  {
    name: 'ffmpeg',
    program: 'ffmpeg',
    version: ['-version'],
    publish: {
      RTMP: byFfmpeg('ffmpeg', 'h264', 'flv'),
      SRT: byFfmpeg('ffmpeg', 'h264', 'mpegts'),
      'SRT H.265': byFfmpeg('ffmpeg', 'h265', 'mpegts'),
    },
  },
  ...(recentFfmpeg === undefined
    ? []
    : [
        {
          name: 'ffmpeg with enhanced RTMP',
          program: recentFfmpeg,
          version: ['-version'],
          publish: {
            RTMP: byFfmpeg(recentFfmpeg, 'h264', 'flv'),
            'RTMP H.265': byFfmpeg(recentFfmpeg, 'h265', 'flv'),
            'RTMP AV1': byFfmpeg(recentFfmpeg, 'av1', 'flv'),
            SRT: byFfmpeg(recentFfmpeg, 'h264', 'mpegts'),
            'SRT H.265': byFfmpeg(recentFfmpeg, 'h265', 'mpegts'),
          },
        },
      ]),
  {
    name: 'OBS',
    program: 'obs',
    version: ['--version'],
    publish: {
      RTMP: (live, name) => {
        const obs = new Obs(`rtmp://127.0.0.1:${live.weir.rtmpPort}/live`, `${name}?secret=${live.secret}`);
        return () => obs.close();
      },
      SRT: (live, name) => {
        const obs = new Obs(srtUrl(live, name), '');
        return () => obs.close();
      },
    },
  },
  {
    name: 'GStreamer',
    program: 'gst-launch-1.0',
    version: ['--version'],
    publish: {
      RTMP: (live, name) => {
        return stopper(gstreamer('flvmux streamable=true', ['rtmp2sink', `location=${rtmpUrl(live, name)}`]));
      },
      SRT: (live, name) => {
        const streamId = `streamid=#!::r=live/${name}?secret=${live.secret},m=publish`;
        const uri = `uri=srt://127.0.0.1:${live.weir.srtPort}`;
        return stopper(gstreamer('mpegtsmux alignment=7', ['srtsink', uri, streamId, 'wait-for-connection=false']));
      },
    },
  },
];

/** A camera of the browser's own by WHIP. */
export async function publishInBrowser(browser: AnyBrowser, live: Live, name: string): Promise<() => Promise<unknown>> {
  const page = await browser.open(`${live.weir.origin}/terraform/v1/mgmt/versions`);
  const url = `${live.weir.origin}/rtc/v1/whip/?app=live&stream=${name}&eip=127.0.0.1&secret=${live.secret}`;
  await page.run(`(async () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [640, 360];
    const paint = canvas.getContext('2d');
    let frames = 0;
    setInterval(() => {
      paint.fillStyle = frames % 2 ? '#246' : '#642';
      paint.fillRect(0, 0, 640, 360);
      paint.fillStyle = '#fff';
      paint.fillRect((frames++ * 6) % 600, 150, 40, 60);
    }, 40);
    const sound = new AudioContext();
    const out = sound.createMediaStreamDestination();
    const tone = new OscillatorNode(sound);
    tone.connect(out);
    tone.start();
    const peer = new RTCPeerConnection();
    window.peer = peer;
    for (const track of [...canvas.captureStream(25).getTracks(), ...out.stream.getTracks()])
      peer.addTransceiver(track, { direction: 'sendonly' });
    await peer.setLocalDescription(await peer.createOffer());
    const answer = await fetch(${JSON.stringify(url)}, { method: 'POST', headers: { 'content-type': 'application/sdp' }, body: peer.localDescription.sdp });
    if (answer.status !== 201) throw new Error(answer.status + ' ' + (await answer.text()));
    await peer.setRemoteDescription({ type: 'answer', sdp: await answer.text() });
    return 0;
  })()`);
  return () => page.close();
}
