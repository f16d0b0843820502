import { setTimeout as sleep } from 'node:timers/promises';
import { SyntheticPublisher } from '../../tests/media/fixtures/synthetic-publisher.fixture.ts';
import { until } from '../../tests/weir.fixture.ts';
import { type Attack, holds } from '../attack.ts';
import { RtmpPeer } from '../rtmp-peer.ts';

/** Marks that could stand between the name of a program and that of its input. */
const marks = ['\u0001', '%01', '%2501', '\u0000', '/', '#', '@', ':', '~', '.'];

export const hiddenInputs: Attack = {
  id: 'S50',
  title: `inputs of a program watched and published by ${marks.length} kinds of invented names, over RTMP, HTTP and WHEP`,
  growthMb: 60,
  async run(target) {
    const { live } = target;
    const { rtmpPort: port } = live.weir;
    const { data, code } = await live.post('/terraform/v1/live/program/save', {
      app: 'live',
      stream: 'studio',
      inputs: [{ kind: 'publisher' }, { kind: 'backup' }],
    });
    holds(code === 0, `the program is answered ${code}`);
    const { id, key } = data.inputs[1];
    const main = await SyntheticPublisher.start({ port, name: `studio?secret=${live.secret}`, kbps: 300 });
    const backup = await SyntheticPublisher.start({ port, name: `studio?secret=${key}`, kbps: 300 });
    try {
      const inputs = async () => {
        const answer = await live.post('/terraform/v1/live/program/query');
        return answer.data.programs[0].states.filter(({ state }: { state: string }) => state === 'good').length;
      };
      await until(async () => (await inputs()) === 2, 'both inputs send');
      let tried = 0;
      const paths = (name: string) => [
        ...['.flv', '.m3u8', '.ll.m3u8'].map((suffix) => `/live/${name}${suffix}`),
        `/live/${name}-0-0.ts`,
      ];
      for (const mark of marks) {
        const name = `studio${mark}${id}`;
        for (const path of [encodeURIComponent(name), encodeURI(name).replaceAll('#', '%23')].flatMap(paths)) {
          // Requests for a stream that does not exist may wait for it.
          const signal = AbortSignal.timeout(1000);
          const status = await fetch(`${live.weir.origin}${path}`, { signal }).then(
            (response) => response.status,
            () => undefined,
          );
          tried += 1;
          holds(status !== 200, `${path} is answered with media`);
        }
        const whep = `/rtc/v1/whep/?app=live&stream=${encodeURIComponent(name)}`;
        const { status } = await target.sendRequest(whep, { method: 'POST', body: 'v=0\r\n' });
        holds(status >= 400, `WHEP of ${JSON.stringify(name)} is answered ${status}`);
        for (const mode of ['play', 'publish'] as const) {
          const peer = new RtmpPeer({ port, mode, name: `${name}?secret=${mode === 'publish' ? 'wrong' : ''}` });
          await Promise.race([peer.begun(), sleep(1000)]);
          const isLetIn = peer.events.some(({ type }) => type === 'started');
          peer.close();
          tried += 1;
          holds(!isLetIn, `RTMP: ${mode} of ${JSON.stringify(name)} begins`);
        }
        tried += 1;
      }
      // With the server's own secret a stream beside it may begin, but not in the place of the input.
      for (const mark of marks) {
        const peer = new RtmpPeer({ port, mode: 'publish', name: `studio${mark}${id}?secret=${live.secret}` });
        await peer.begun();
        peer.close();
        tried += 1;
      }
      holds((await inputs()) === 2 && !main.hasEnded && !backup.hasEnded, 'an input was replaced');
      const preview = await live.weir.post('/terraform/v1/live/program/preview', { uuid: data.uuid, input: id });
      holds(preview.status === 401, `a preview without a token is answered ${preview.status}`);
      return `${tried} attempts, both inputs still send`;
    } finally {
      main.close();
      backup.close();
    }
  },
};
