import { type ChildProcess, spawn } from 'node:child_process';
import type { Live } from '../../tests/media/fixtures/live.fixture.ts';
import { Obs } from '../../tests/media/fixtures/obs.fixture.ts';
import { publishClip } from '../../tests/media/fixtures/viewer/broadcast.fixture.ts';
import type { AnyBrowser } from './browsers.ts';

/** A program that publishes; each protocol answers how it is stopped. */
interface PublisherClient {
  readonly name: string;
  readonly program: string;
  readonly version: readonly string[];
  readonly publish: Partial<Record<'RTMP' | 'SRT', (live: Live, name: string) => () => Promise<unknown>>>;
}

const media = { sampleRate: 48_000, hasBFrames: false } as const;

const byFfmpeg = (kind: 'rtmp' | 'srt') => (live: Live, name: string) => {
  const { rtmpPort, srtPort } = live.weir;
  const publisher = publishClip(kind, name, media, { rtmpPort, srtPort, secret: live.secret });
  return () => publisher.stop('SIGKILL');
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

export const publisherClients: readonly PublisherClient[] = [
  {
    name: 'ffmpeg',
    program: 'ffmpeg',
    version: ['-version'],
    publish: { RTMP: byFfmpeg('rtmp'), SRT: byFfmpeg('srt') },
  },
  {
    name: 'OBS',
    program: 'obs',
    version: ['--version'],
    publish: {
      RTMP: (live, name) => {
        const obs = new Obs(`rtmp://127.0.0.1:${live.weir.rtmpPort}/live`, `${name}?secret=${live.secret}`);
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
        const location = `rtmp://127.0.0.1:${live.weir.rtmpPort}/live/${name}?secret=${live.secret}`;
        return stopper(gstreamer('flvmux streamable=true', ['rtmp2sink', `location=${location}`]));
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
