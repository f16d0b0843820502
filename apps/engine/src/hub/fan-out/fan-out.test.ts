import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { audioConfig, client, picture, place, sound, videoConfig } from '../frames.fixture.ts';
import { Hub } from '../hub.ts';
import type { Publication, Stream } from '../stream.ts';
import { FanOut } from './fan-out.ts';
import type { WireFormat } from './wire-format.ts';

/** Readable wire format: `K5000;` is a keyframe at 5000 ms. */
const textFormat: WireFormat = {
  start: () => Buffer.from('start;'),
  config: ({ kind }) => Buffer.from(`config-${kind};`),
  frame: ({ kind, isKeyframe, dtsMs, payload }) =>
    Buffer.concat([
      Buffer.from(`${kind === 'audio' ? 'a' : isKeyframe ? 'K' : 'p'}${dtsMs};`),
      payload.subarray(0, payload.length > 1000 ? undefined : 0),
    ]),
};

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** Both ends of a connection. */
async function pair(): Promise<{ server: Socket; peer: Socket }> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const peer = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1');
  const [server] = (await once(listener, 'connection')) as [Socket];
  for (const socket of [server, peer]) socket.on('error', () => undefined);
  open.push(() => {
    server.destroy();
    peer.destroy();
    listener.close();
  });
  return { server, peer };
}

function begin(): { stream: Stream; publication: Publication; fanOut: () => FanOut } {
  const stream = new Hub({ returnMs: 60_000 }).open(place);
  if (!stream) throw new Error('no stream');
  open.push(() => stream.close());
  const publication = stream.publish(client());
  const fanOut = () => new FanOut(stream, textFormat, { bytesOut: stream.stats.bytesOut, onEmpty: () => undefined });
  return { stream, publication, fanOut };
}

/** Collects everything a peer receives, as text. */
function reading(peer: Socket): { text: () => string; until: (part: string) => Promise<void> } {
  let text = '';
  peer.on('data', (chunk) => (text += chunk.toString('latin1')));
  return {
    text: () => text,
    until: async (part) => {
      while (!text.includes(part)) await once(peer, 'data');
    },
  };
}

describe('FanOut', () => {
  it('S34: leaves out frames that its protocol cannot carry, for present and joining viewers', async () => {
    const { publication, stream } = begin();
    const picky: WireFormat = {
      ...textFormat,
      frame: (frame) => {
        if (frame.dtsMs === 40) throw new RangeError('too odd');
        return textFormat.frame(frame);
      },
    };
    const out = new FanOut(stream, picky, { bytesOut: stream.stats.bytesOut, onEmpty: () => undefined });
    publication.config(videoConfig);
    publication.frame(picture(0, true));
    const { server, peer } = await pair();
    const heard = reading(peer);
    out.add(client('flv-play'), server);
    publication.frame(picture(40));
    publication.frame(picture(80));
    await heard.until('p80;');
    const fresh = new FanOut(stream, picky, { bytesOut: stream.stats.bytesOut, onEmpty: () => undefined });
    const late = await pair();
    const lateHeard = reading(late.peer);
    fresh.add(client('flv-play'), late.server);
    await lateHeard.until('p80;');
    for (const { text } of [heard, lateHeard]) expect(text()).toBe('start;config-video;K0;p80;');
  });

  it('S34: disconnects a viewer that it cannot start', async () => {
    const { publication, stream } = begin();
    publication.config(videoConfig);
    let emptied = 0;
    const broken: WireFormat = {
      ...textFormat,
      start: () => {
        throw new RangeError('too odd');
      },
    };
    const out = new FanOut(stream, broken, { bytesOut: stream.stats.bytesOut, onEmpty: () => emptied++ });
    const early = await pair();
    out.add(client('flv-play'), early.server);
    publication.frame(picture(0, true));
    expect([out.size, emptied, early.server.destroyed]).toEqual([0, 1, true]);
    const { server } = await pair();
    expect(() => out.add(client('flv-play'), server)).toThrow(RangeError);
    expect([out.size, emptied]).toEqual([0, 2]);
  });

  it('starts with the first frame when the tracks are not known, and names them afterwards', async () => {
    const { publication, stream } = begin();
    const named: WireFormat = {
      ...textFormat,
      start: ({ video, audio, metadata }) =>
        Buffer.from(`start ${[video?.kind, audio?.kind, metadata.audiocodecid].filter(Boolean)};`),
    };
    const out = new FanOut(stream, named, { bytesOut: stream.stats.bytesOut, onEmpty: () => undefined });
    publication.metadata({ videocodecid: 7, audiocodecid: 10 });
    publication.config(videoConfig);
    publication.frame(picture(0, true));
    const { server, peer } = await pair();
    const heard = reading(peer);
    out.add(client('flv-play'), server);
    // After a second, the audio is no longer waited for.
    await heard.until('K0;');
    publication.frame(picture(40));
    await heard.until('p40;');
    expect(heard.text()).toBe('start video;config-video;K0;p40;');
    publication.config(audioConfig);
    publication.frame(sound(50));
    await heard.until('a50;');
    expect(heard.text()).toMatch(/p40;config-audio;a50;$/);
  });

  it('reports a changed video size', async () => {
    const { publication, stream } = begin();
    const telling: WireFormat = { ...textFormat, metadata: ({ video }) => Buffer.from(`size ${video?.width};`) };
    const out = new FanOut(stream, telling, { bytesOut: stream.stats.bytesOut, onEmpty: () => undefined });
    publication.config(videoConfig);
    publication.frame(picture(0, true));
    const { server, peer } = await pair();
    const heard = reading(peer);
    out.add(client('flv-play'), server);
    publication.config({ ...videoConfig, record: Buffer.from('other'), width: 1280 });
    publication.frame(picture(40, true));
    await heard.until('K40;');
    expect(heard.text()).toBe('start;config-video;K0;size 1280;config-video;K40;');
  });

  it('gives a joining viewer headers and the cached frames, then the live frames', async () => {
    const { publication, fanOut } = begin();
    publication.config(videoConfig);
    publication.config(audioConfig);
    publication.frame(picture(0, true));
    publication.frame(sound(10));
    const { server, peer } = await pair();
    const heard = reading(peer);
    const out = fanOut();
    out.add(client('flv-play'), server);
    publication.frame(picture(40));
    publication.frame(sound(50));
    await heard.until('a50;');
    const late = await pair();
    const lateHeard = reading(late.peer);
    out.add(client('flv-play'), late.server);
    publication.frame(picture(80));
    await Promise.all([heard.until('p80;'), lateHeard.until('p80;')]);
    const whole = 'start;config-video;config-audio;K0;a10;p40;a50;p80;';
    expect(heard.text()).toBe(whole);
    expect(lateHeard.text()).toBe(whole);
  });

  it('shares one buffer among viewers that join one after the other', async () => {
    const { publication, fanOut } = begin();
    publication.config(videoConfig);
    publication.frame(picture(0, true));
    const out = fanOut();
    const given: (string | Uint8Array)[][] = [];
    for (let time = 40; time <= 200; time += 40) {
      const { server, peer } = await pair();
      const heard = reading(peer);
      const written = vi.spyOn(server, 'write');
      out.add(client('flv-play'), server);
      publication.frame(picture(time));
      await heard.until(`p${time};`);
      expect(heard.text()).toMatch(/^start;config-video;K0;(?:p\d+;)*$/);
      given.push(written.mock.calls.map(([bytes]) => bytes));
    }
    const [first = [], second = []] = given.slice(-2);
    // Head and all pictures but the last of each are buffers that others got as well.
    expect(second.slice(0, first.length - 1)).toEqual(first.slice(0, -1));
    for (const [index, bytes] of first.slice(0, -1).entries()) expect(second[index]).toBe(bytes);
  });

  it('sends a new config before the frames that need it', async () => {
    const { publication, fanOut } = begin();
    publication.config(videoConfig);
    const { server, peer } = await pair();
    const heard = reading(peer);
    fanOut().add(client('flv-play'), server);
    publication.frame(picture(0, true));
    publication.config({ ...videoConfig, record: Buffer.from('other') });
    publication.frame(picture(40, true));
    await heard.until('K40;');
    expect(heard.text()).toBe('start;config-video;K0;config-video;K40;');
  });

  it('F05: makes a viewer that does not read wait for a keyframe and finally disconnects it, without affecting others', async () => {
    const { publication, fanOut } = begin();
    publication.config(videoConfig);
    const good = await pair();
    const stuck = await pair();
    stuck.peer.pause();
    const out = fanOut();
    let received = 0;
    good.peer.on('data', (chunk) => (received += chunk.length));
    out.add(client('flv-play'), good.server);
    const reasons: string[] = [];
    const slow = client('flv-play', (reason) => reasons.push(reason));
    const viewer = out.add(slow, stuck.server);
    const megabyte = 1024 * 1024;
    let sent = 0;
    for (let n = 0; n < 40; n++) {
      publication.frame(picture(n * 40, n % 10 === 0, megabyte));
      sent += megabyte;
      while (received < sent) await once(good.peer, 'data');
    }
    expect(viewer.behindSinceMs).toBeDefined();
    expect(stuck.server.writableLength).toBeLessThan(10 * megabyte);
    expect(slow.counters.droppedFrames).toBeGreaterThan(10);
    // Uses its own clock, which counts watched time.
    viewer.behindSinceMs = (viewer.behindSinceMs ?? 0) - 20_000;
    publication.frame(picture(2000, false));
    await vi.waitFor(() => expect(reasons).toEqual(['too slow']));
  });

  it('resumes at a keyframe for a viewer that has caught up', async () => {
    const { publication, fanOut } = begin();
    publication.config(videoConfig);
    const { server, peer } = await pair();
    const out = fanOut();
    const viewer = out.add(client('flv-play'), server);
    viewer.behindSinceMs = 0;
    const heard = reading(peer);
    publication.frame(picture(0, true));
    publication.frame(picture(40));
    await heard.until('p40;');
    expect(viewer.behindSinceMs).toBeUndefined();
    expect(heard.text()).toBe('start;config-video;config-video;K0;p40;');
    viewer.behindSinceMs = 0;
    publication.frame(picture(80));
    publication.frame(picture(120, true));
    await heard.until('K120;');
    expect(heard.text()).not.toContain('p80;');
  });

  it('disconnects its viewers when the stream ends', async () => {
    const { stream, fanOut } = begin();
    const { server } = await pair();
    const reasons: string[] = [];
    fanOut().add(
      client('flv-play', (reason) => reasons.push(reason)),
      server,
    );
    stream.close();
    expect(reasons).toEqual(['the stream has ended']);
  });
});
