import { setTimeout as sleep } from 'node:timers/promises';
import { SyntheticPublisher } from '../../../tests/media/fixtures/synthetic-publisher.fixture.ts';
import { until, workersOf } from '../../../tests/weir.fixture.ts';
import { type Attack, holds } from '../../attack.ts';
import { residentMb } from '../../memory-watch.ts';
import { SrtCallerSocket } from './srt-handshake.ts';

const players = 800;
const kbps = 4000;
const together = 10;
const lastsMs = 20_000;
const claims = { window: 8192, streamId: '#!::r=live/heavy,m=request' };
/** A worker with nobody in it, and some room. */
const idleMb = 160;

/** Half of them confirm what comes for the first seconds. */
const confirmMs = 5000;

export const unconfirmingPlayers: Attack = {
  id: 'S45',
  title: `${players} SRT players of one address that stay connected and confirm nothing, or stop confirming`,
  growthMb: 60,
  async run({ live }) {
    const { rtmpPort, srtPort } = live.weir;
    const publisher = await SyntheticPublisher.start({ port: rtmpPort, name: `heavy?secret=${live.secret}`, kbps });
    await until(() => live.isLive('heavy'), 'the stream is live');
    const socket = await SrtCallerSocket.open(srtPort);
    // The first call starts the process.
    await until(async () => (await socket.call(1, claims)) !== undefined, 'SRT answers');
    const servers = new Map<number, number>();
    const startMs = performance.now();
    const act = () => {
      const isConfirming = performance.now() - startMs < confirmMs;
      for (const [id, server] of servers) {
        socket.keepAlive(server);
        const newest = socket.newest.get(id);
        if (isConfirming && id % 2 === 0 && newest !== undefined) socket.confirm(server, newest + 1);
      }
    };
    const timer = setInterval(act, 200);
    for (let n = 2; n <= players; n += together) {
      const ids = Array.from({ length: together }, (_, at) => n + at);
      const answers = await Promise.all(ids.map((id) => socket.call(id, claims)));
      for (const [at, server] of answers.entries()) if (server !== undefined) servers.set(n + at, server);
      await sleep(20);
    }
    await sleep(Math.max(0, lastsMs - (performance.now() - startMs)));
    clearInterval(timer);
    const [pid = 0] = workersOf(live.weir.pidOf('engine'), 'srt');
    const left = [...servers.keys()].filter((id) => !socket.ended.has(id)).length;
    socket.close();
    publisher.close();
    await until(() => residentMb(pid) < idleMb, `the process of SRT returns its memory`, 20_000).catch(() => undefined);
    const afterMb = Math.round(residentMb(pid));
    holds(afterMb < idleMb, `the process of SRT kept ${afterMb} MB`);
    return `${servers.size} accepted, ${left} left after ${lastsMs / 1000} s; srt ${afterMb} MB afterwards`;
  },
};
