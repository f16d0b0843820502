import { FrameViewer } from '../../../tests/media/fixtures/frames.fixture.ts';
import { until } from '../../../tests/weir.fixture.ts';
import { type Attack, holds } from '../../attack.ts';
import { RtcPublisher } from './rtc-publisher.ts';
import { check, offer } from './session.ts';

const sessions = 8;
const checks = 400;
const everyMs = 20;
const longestGapMs = 500;

export const routeHijack: Attack = {
  id: 'S44',
  title: `${checks} STUN checks in the name of a WebRTC publisher, by ${sessions} sessions of viewers`,
  growthMb: 40,
  async run(target) {
    const viewers = await Promise.all(Array.from({ length: sessions }, () => offer(target)));
    const publisher = await RtcPublisher.start(target, 'victim');
    // Datagrams through the publisher's own socket arrive like forged ones.
    const forge = () => {
      for (const viewer of viewers) publisher.proxy.inject(check(viewer));
    };
    // From the first datagram of the publisher on, so that its handshake is attacked as well.
    const forging = setInterval(forge, everyMs);
    await until(() => target.live.isLive('victim'), 'the publisher is live');
    const watcher = FrameViewer.overFlv(target.live.weir.httpPort, '/live/victim.flv');
    let [seen, seenMs, longest] = [0, performance.now(), 0];
    await until(() => watcher.times.video.length > 10, 'its viewer watches');
    const beganMs = performance.now();
    for (let forged = 0; forged < checks; forged += sessions) {
      await new Promise((resolve) => setTimeout(resolve, everyMs));
      const nowMs = performance.now();
      if (watcher.times.video.length > seen) [seen, seenMs] = [watcher.times.video.length, nowMs];
      longest = Math.max(longest, nowMs - Math.max(seenMs, beganMs));
    }
    clearInterval(forging);
    watcher.close();
    publisher.close();
    holds(longest < longestGapMs, `the publisher's viewer got nothing for ${Math.round(longest)} ms`);
    return `its viewer waited ${Math.round(longest)} ms at most`;
  },
};
