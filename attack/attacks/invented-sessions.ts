import { until } from '../../tests/weir.fixture.ts';
import { type Attack, holds } from '../attack.ts';

const sessions = 30_000;
const atATime = 20;

export const inventedSessions: Attack = {
  id: 'S41',
  title: '30,000 invented HLS sessions with long parameters',
  // Three quarters of this are garbage of the requests, which is collected late. Sessions themselves take 60 MB, and 20 MB after 15 s.
  growthMb: 360,
  async run(target) {
    await until(
      async () => (await target.sendRequest('/live/honest.m3u8')).status === 200,
      'HLS of the honest stream',
      30_000,
    );
    const filler = 'x'.repeat(3000);
    const counts = new Map<number, number>();
    let next = 0;
    const invent = async () => {
      while (next < sessions) {
        next += 1;
        const from = `127.0.${4 + (next % 4)}.${(next % 200) + 1}`;
        const { status } = await target
          .sendRequest(`/live/honest.m3u8?hls_ctx=${next.toString(16).padStart(16, '0')}&p=${filler}`, { from })
          .catch(() => ({ status: 0 }));
        counts.set(status, (counts.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: atATime }, invent));
    const { status } = await target.sendRequest('/live/honest.m3u8', { from: '127.9.0.2' });
    holds(status === 200, `a viewer of another network is answered ${status}`);
    return [...counts].map(([code, count]) => `${count} × ${code}`).join(', ');
  },
};
