import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until, workersOf } from '../../weir.fixture.ts';
import { flvTimes, inputs, Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { expectHealthy } from '../fixtures/healthy.fixture.ts';
import type { Live } from '../fixtures/live.fixture.ts';
import { RtcDesk } from './rtc-desk.fixture.ts';

let desk: RtcDesk;
let live: Live;
let publishers: Publisher[] = [];

beforeAll(async () => {
  desk = await RtcDesk.start();
  live = desk.live;
});
afterAll(() => desk.close());
afterEach(async () => {
  await desk.clear();
  await Promise.all(publishers.map((publisher) => publisher.stop('SIGKILL')));
  publishers = [];
});

describe('a camera in a browser', () => {
  it('is published by WHIP and played by WHEP, at full rate and with sound', async () => {
    const camera = await desk.publishByCamera('camera');
    const { body } = await camera.answer();
    for (const agreed of ['a=ice-lite', 'rtx/90000', 'transport-wide-cc', 'transport-cc'])
      expect(body).toContain(agreed);
    await until(async () => (await desk.streamNamed('camera'))?.audio?.codec === 'OPUS', 'sound arrives');
    expect(await desk.streamNamed('camera')).toMatchObject({ video: { codec: 'H264' } });
    const viewer = await desk.call('whep', 'camera');
    await until(async () => (await viewer.facts()).frames > 30, 'pictures are shown');
    const [sentBefore, seenBefore] = await Promise.all([camera.facts(), viewer.facts()]);
    await until(
      async () => ((await camera.facts()).video?.framesEncoded ?? 0) > (sentBefore.video?.framesEncoded ?? 0) + 60,
      'more',
    );
    const [sent, seen] = await Promise.all([camera.facts(), viewer.facts()]);
    const encoded = (sent.video?.framesEncoded ?? 0) - (sentBefore.video?.framesEncoded ?? 0);
    expect((seen.video?.framesDecoded ?? 0) - (seenBefore.video?.framesDecoded ?? 0)).toBeGreaterThan(encoded * 0.9);
    await until(async () => ((await viewer.facts()).audio?.totalAudioEnergy ?? 0) > 0.01, 'sound is heard');
    const client = (await desk.clientsOf('camera')).find(({ type }) => type === 'rtc-play');
    expect(client?.transport.packetsSent).toBeGreaterThan(100);
    await expectHealthy(live, 'camera');
  });

  it('shows its first frame within half a second of the offer', async () => {
    await desk.publishByCamera('quick');
    // On a busy machine a browser alone may need longer than that, so it gets a few tries.
    const times: number[] = [];
    await until(
      async () => {
        const viewer = await desk.call('whep', 'quick');
        await until(async () => (await viewer.facts()).frames > 0, 'a picture is shown');
        times.push((await viewer.facts()).firstFrameMs ?? Number.POSITIVE_INFINITY);
        await viewer.page.close();
        return Math.min(...times) < 500;
      },
      'the first picture within 500 ms',
      20_000,
    );
  });

  it.each(['VP9', 'AV1'])('is relayed in %s when both ends agree on it', async (codec) => {
    const name = `relayed-${codec}`;
    await desk.call('whip', name, codec);
    await until(async () => (await desk.streamNamed(name))?.video?.width === 640, 'pictures arrive');
    expect(await desk.streamNamed(name)).toMatchObject({ video: { codec } });
    const viewer = await desk.call('whep', name);
    await until(async () => (await viewer.facts()).frames > 20, 'pictures are shown');
    const offer = await (await desk.call('whep', name, codec)).answer();
    expect(offer.body).toContain(`${codec}/90000`);
  });

  it.each([0.05, 0.1])('plays without long freezes when %f of all datagrams are lost each way', async (share) => {
    const name = `lossy${share * 100}`;
    const camera = await desk.publishByCamera(name);
    const viewer = await desk.call('whep', name);
    await until(async () => (await viewer.facts()).frames > 10, 'pictures are shown');
    desk.setLoss(share);
    const before = await viewer.facts();
    await until(async () => (await viewer.facts()).frames > before.frames + 150, 'five seconds of pictures');
    const { longestGapMs, video } = await viewer.facts();
    expect(video?.nackCount).toBeGreaterThan(0);
    expect((await camera.facts()).video?.retransmittedPacketsSent).toBeGreaterThan(0);
    // A group of pictures of a browser is two seconds here.
    expect(longestGapMs).toBeLessThan(2000);
  });

  it('is removed within ten seconds when it vanishes, and so is a viewer', async () => {
    await desk.publishByCamera('vanished');
    const viewer = await desk.call('whep', 'vanished');
    await until(async () => (await viewer.facts()).frames > 5, 'pictures are shown');
    expect(await desk.clientsOf('vanished')).toHaveLength(2);
    desk.road.toServerLoss = 1;
    const since = performance.now();
    await until(async () => (await desk.clientsOf('vanished')).length === 0, 'both gone', 12_000);
    expect(performance.now() - since).toBeLessThan(12_000);
  });

  it('ends by DELETE of its own resource, and of no other', async () => {
    const camera = await desk.publishByCamera('deleted');
    const { location } = await camera.answer();
    const resource = `${live.weir.origin}${location}`;
    const wrong = resource.replace(/token=[0-9a-f]+/, `token=${'0'.repeat(32)}`);
    expect((await fetch(wrong, { method: 'DELETE' })).status).toBe(404);
    const patch = (body: string) =>
      fetch(resource, { method: 'PATCH', body, headers: { 'content-type': 'application/trickle-ice-sdpfrag' } });
    expect((await patch('a=candidate:1 1 udp 1 192.0.2.9 9 typ host\r\n')).status).toBe(204);
    expect((await patch('a=ice-ufrag:another\r\na=ice-pwd:another\r\n')).status).toBe(422);
    expect((await desk.streamNamed('deleted'))?.publish.active).toBe(true);
    expect((await fetch(resource, { method: 'DELETE' })).status).toBe(200);
    expect((await desk.streamNamed('deleted'))?.publish.active).toBe(false);
    expect((await fetch(resource, { method: 'DELETE' })).status).toBe(404);
  });

  it('is disconnected when the administrator kicks it', async () => {
    await desk.publishByCamera('kicked');
    await live.post('/terraform/v1/mgmt/streams/kickoff', { vhost: '__defaultVhost__', app: 'live', stream: 'kicked' });
    await until(async () => (await desk.clientsOf('kicked')).length === 0, 'gone');
  });
});

describe('a publisher by RTMP', () => {
  it('is played by WHEP with video and audio, and continues when the publisher returns', async () => {
    const first = new Publisher(live.publishUrl('classic'));
    publishers.push(first);
    await until(() => live.isLive('classic'), 'live');
    const viewer = await desk.call('whep', 'classic');
    await until(async () => (await viewer.facts()).frames > 25, 'pictures are shown');
    await until(async () => ((await viewer.facts()).audio?.totalAudioEnergy ?? 0) > 0.001, 'sound is heard');
    // With many viewers each gets audio in pairs, behind video whose last packet is padded for it.
    await viewer.listen(desk.url('whep', 'classic'), 24);
    const few = await viewer.facts();
    await until(async () => (await viewer.facts()).frames > few.frames + 60, 'pictures go on');
    const many = await viewer.facts();
    expect(many.video?.packetsLost).toBe(few.video?.packetsLost);
    expect(many.audio?.totalAudioEnergy).toBeGreaterThan((few.audio?.totalAudioEnergy ?? 0) + 0.0005);
    await first.stop('SIGKILL');
    publishers.push(new Publisher(live.publishUrl('classic')));
    const before = await viewer.facts();
    await until(async () => (await viewer.facts()).frames > before.frames + 50, 'it goes on');
    expect((await viewer.facts()).state).toBe('connected');
  });
});

describe('a publisher with B-frames', () => {
  it('is played by WHEP at full rate all the same', async () => {
    const withB = inputs.both
      .map((arg) => (arg === 'baseline' ? 'main' : arg))
      .filter((arg) => arg !== '-tune' && arg !== 'zerolatency');
    const at = withB.indexOf('-g');
    const publisher = new Publisher(live.publishUrl('reordered'), [
      ...withB.slice(0, at),
      '-bf',
      '2',
      ...withB.slice(at),
    ]);
    publishers.push(publisher);
    await until(() => live.isLive('reordered'), 'live');
    const viewer = await desk.call('whep', 'reordered');
    const framesIn = async (ms: number) => {
      const { frames } = await viewer.facts();
      await sleep(ms);
      return (await viewer.facts()).frames - frames;
    };
    // 25 a second, also where converter and browser wait for a core at first; what cannot be reordered shows one or two.
    await until(async () => (await framesIn(2000)) > 30, 'fifteen pictures a second');
  });
});

describe('a WebRTC request', () => {
  const offer = (body: string, address: string, type = 'application/sdp') =>
    fetch(address, { method: 'POST', body, headers: { 'content-type': type } });

  it('S08: to publish without the secret is refused with a reason in JSON', async () => {
    const body = await browserOffer();
    const wrong = ['', '&secret=', '&secret=wrong', `&secret=${live.secret.toUpperCase()}`, `&key=${live.secret}`];
    for (const query of wrong) {
      const response = await offer(body, desk.url('whip', 'refused', query));
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: expect.any(Number), data: { message: expect.any(String) } });
    }
    expect((await desk.streamNamed('refused'))?.publish.active ?? false).toBe(false);
  });

  it('S21: that cannot be answered is refused with a reason', async () => {
    const body = await browserOffer();
    const statuses = [
      await offer(body, desk.url('whep', 'nothing-here')),
      await offer('v=0\r\n', desk.url('whip', 'x', `&secret=${live.secret}`)),
      await offer(body, desk.url('whip', 'x', `&secret=${live.secret}`), 'application/json'),
      await offer('a'.repeat(1_000_000), desk.url('whip', 'x', `&secret=${live.secret}`)),
      await offer(
        `v=0\r\n${'m=video 9 UDP/TLS/RTP/SAVPF 96\r\n'.repeat(1000)}`,
        desk.url('whip', 'x', `&secret=${live.secret}`),
      ),
      await offer(body.replace(/H26[45]|AV1|VP9|opus/g, 'NONE'), desk.url('whip', 'x', `&secret=${live.secret}`)),
      // Audio alone would be taken, and the video dropped.
      await offer(body.replace(/H26[45]|AV1|VP9/g, 'NONE'), desk.url('whip', 'x', `&secret=${live.secret}`)),
      await offer(body, `${live.weir.origin}/rtc/v1/whip/?app=live`),
      await fetch(desk.url('whip', 'x')),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 400, 415, 413, 400, 422, 422, 400, 405]);
  });

  it('with an offer without a content type is answered like any other', async () => {
    const body = new TextEncoder().encode(await browserOffer());
    const address = desk.url('whip', 'untyped', `&secret=${live.secret}`);
    const answer = await fetch(address, { method: 'POST', body });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([201, 'application/sdp']);
    const resource = new URL(answer.headers.get('location') ?? '', live.weir.origin);
    expect(
      (await fetch(resource, { method: 'PATCH', body: new TextEncoder().encode('a=end-of-candidates') })).status,
    ).toBe(204);
    expect((await fetch(resource, { method: 'DELETE' })).status).toBe(200);
  });

  it('in the older form of SRS is answered as SRS does', async () => {
    const sdp = await browserOffer();
    const publish = (streamurl: string) => live.weir.post('/rtc/v1/publish/', { api: '', streamurl, sdp });
    expect(await publish('webrtc://host/live/old')).toMatchObject({ status: 403 });
    expect(await publish('http://host:1985/live/old')).toMatchObject({ status: 403 });
    const answer = (await publish(`webrtc://host/live/old?secret=${live.secret}`)) as unknown as Record<
      string,
      unknown
    >;
    expect(answer).toMatchObject({
      status: 200,
      code: 0,
      sdp: expect.stringContaining('m=video'),
      sessionid: expect.any(String),
    });
  });

  async function browserOffer(): Promise<string> {
    const page = await desk.browser.newPage();
    const sdp = await page.evaluate(`(async () => {
      const peer = new RTCPeerConnection();
      peer.addTransceiver('video', { direction: 'sendrecv' });
      peer.addTransceiver('audio', { direction: 'sendrecv' });
      return (await peer.createOffer()).sdp;
    })()`);
    await page.close();
    return String(sdp);
  }
});

describe('F23: the WebRTC process', () => {
  it('can be killed: others lose no frame, our page recovers by itself, its publisher may return', async () => {
    publishers.push(new Publisher(live.publishUrl('unmoved'), inputs.video));
    await until(() => live.isLive('unmoved'), 'live');
    const camera = await desk.publishByCamera('moved');
    const page = await desk.browser.newPage();
    await page.goto(`${live.weir.origin}/players/whep.html?stream=unmoved&eip=127.0.0.1&autostart=true`);
    await page.locator('video').waitFor();
    await page.evaluate(`(() => {
      const video = document.querySelector('video');
      window.seen = { frames: 0, longestGapMs: 0 };
      let last;
      const onFrame = (now) => {
        if (last !== undefined) seen.longestGapMs = Math.max(seen.longestGapMs, now - last);
        last = now;
        seen.frames += 1;
        video.requestVideoFrameCallback(onFrame);
      };
      video.requestVideoFrameCallback(onFrame);
    })()`);
    const seen = async () => (await page.evaluate('seen')) as { frames: number; longestGapMs: number };
    await until(async () => (await seen()).frames > 50, 'the page plays');
    const engine = live.weir.pidOf('engine');
    const [worker = 0] = workersOf(engine, 'rtc');
    const times = flvTimes(live.http('unmoved', '.flv'), 8);
    const { frames } = await seen();
    process.kill(worker, 'SIGKILL');
    await until(async () => (await desk.clientsOf('moved')).length === 0, 'its publisher is not listed any more');
    const resource = new URL((await camera.answer()).location ?? '', live.weir.origin);
    expect((await fetch(resource, { method: 'DELETE' })).status).toBe(404);
    await until(async () => (await seen()).frames > frames + 50, 'the page plays on');
    expect((await seen()).longestGapMs).toBeLessThan(6000);
    await desk.publishByCamera('moved');
    const steps = (await times).map((time, n, all) => time - (all[n - 1] ?? time)).slice(1);
    expect(steps.length).toBeGreaterThan(150);
    expect(new Set(steps)).toEqual(new Set([40]));
    expect(live.weir.pidOf('engine')).toBe(engine);
    await page.close();
  });
});
