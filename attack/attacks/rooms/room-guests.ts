import { type Attack, holds } from '../../attack.ts';
import type { Target } from '../../target.ts';

const starts = 1000;
const listeners = 300;
const uploads = 24;
const uploadMb = 50;
const talk = '/terraform/v1/ai-talk';

/** Guest's request to a room from a chosen address. */
async function callTalk(target: Target, path: string, body: string | object, from = '127.0.5.1') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const said = await target.sendRequest(`${talk}/${path}`, { method: 'POST', from, body: text });
  return { ...said, data: said.status === 200 ? JSON.parse(said.text).data : undefined };
}

/** Repeats a request with limited concurrency; returns the number of answers by status. */
async function many(count: number, width: number, once: (n: number) => Promise<{ readonly status: number }>) {
  const statuses = new Map<number, number>();
  let next = 0;
  const work = async () => {
    for (let n = next++; n < count; n = next++) {
      const { status } = await once(n);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return statuses;
}

export const roomGuests: Attack = {
  id: 'S43',
  title: `guests of a room: ${starts} starts, ${listeners} listeners, ${uploads} uploads of ${uploadMb} MB, IDs and tokens of others`,
  growthMb: 200,
  async run(target) {
    const room = (await target.live.post('/terraform/v1/live/room/create', { title: '<b>Room</b>' })).data;
    const { uuid } = room;
    await target.live.post('/terraform/v1/live/room/update', { uuid, aiChatEnabled: false });
    const key = { room: uuid, roomToken: room.roomToken };
    // An honest guest, whose place nobody takes.
    const home = '127.0.0.8';
    const { data: honest } = await callTalk(target, 'stage/start', key, home);
    const { data: listener } = await callTalk(target, 'subscribe/start', key, home);
    const ids = { ...key, sid: honest.sid, userId: honest.userId, userSecret: honest.userSecret, spid: listener.spid };

    const opened = await many(starts, 20, () => callTalk(target, 'stage/start', key));
    const heard = await many(listeners, 20, () => callTalk(target, 'subscribe/start', key));
    const huge = JSON.stringify({ ...ids, rid: 'x', audio: 'A'.repeat(uploadMb * 1024 * 1024) });
    const poured = await many(uploads, 8, () => callTalk(target, 'stage/upload', huge));
    holds(!poured.has(200) && !poured.has(500), `uploads of ${uploadMb} MB are answered ${[...poured.keys()]}`);
    const stolen = await many(100, 10, () =>
      callTalk(target, 'user/update', { ...ids, userSecret: `guess-${Math.random()}`, name: 'x' }),
    );
    const guessed = await many(100, 10, () =>
      callTalk(target, 'stage/start', { ...key, roomToken: `t-${Math.random()}` }),
    );
    holds(!stolen.has(200) && !guessed.has(200), 'an invented secret or token was taken');

    const script = '<script>alert(1)</script>';
    const { data: round } = await callTalk(target, 'stage/conversation', ids, home);
    const said = await callTalk(target, 'stage/upload', { ...ids, rid: round?.rid, text: script }, home);
    holds(said.status === 200, `the honest guest is answered ${said.status}`);
    const answer = await callTalk(target, 'subscribe/query', ids, home);
    holds(answer.data?.msgs.length === 1 && !answer.text.includes('<'), 'what was said is not told as it was said');
    const later = await callTalk(target, 'subscribe/start', key, '127.0.0.9');
    holds(later.status === 200, `somebody who comes later is answered ${later.status}`);

    await target.live.post('/terraform/v1/live/room/rotate', { uuid });
    const rotated = await many(20, 5, () => callTalk(target, 'subscribe/query', ids, home));
    holds(!rotated.has(200), 'an old token still opens the room');
    const describeStatuses = (statuses: Map<number, number>) =>
      [...statuses].map(([status, n]) => `${n} × ${status}`).join(', ');
    return `starts ${describeStatuses(opened)}; listeners ${describeStatuses(heard)}; uploads ${describeStatuses(poured)}; an honest guest is served`;
  },
};
