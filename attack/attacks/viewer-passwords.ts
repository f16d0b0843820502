import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, holds } from '../attack.ts';

const guesses = 3000;
const queries = 3000;
const networks = 4;
const atATime = 20;
const honest = 20;
/** Twenty attackers without pause take most of a machine of two cores. */
const slowMs = 3000;
const password = 'the password of the show';

export const viewerPasswords: Attack = {
  id: 'S02',
  title: `${guesses} viewer passwords guessed from ${networks} networks, with ${queries} other calls, while viewers who know it come`,
  growthMb: 180,
  async run(target) {
    const { live } = target;
    const rule = { pattern: '/live/closed', mode: 'password', password };
    const { code } = await live.post('/terraform/v1/mgmt/access/update', rule);
    holds(code === 0, `the rule is answered ${code}`);
    const { data } = await live.post('/terraform/v1/mgmt/access/playback', { app: 'live', stream: 'closed' });
    const { playback } = data;
    const send = (path: string, from: string, fields: object) =>
      target.sendRequest(`/terraform/v1/watch/${path}`, { method: 'POST', from, body: JSON.stringify(fields) });
    const counts = new Map<string, number>();
    const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
    let next = 0;
    const attacker = async () => {
      while (next < guesses + queries) {
        const n = next++;
        const from = `127.${10 + (n % networks)}.0.${1 + (n % 250)}`;
        if (n % 2 === 0) {
          const { status } = await send('unlock', from, { playback, password: `guess ${n}` });
          holds(status !== 200, 'a guess was right');
          count(`${status}`);
        } else {
          const known = n % 4 === 1 ? playback : `${n}`.padStart(16, 'a').replaceAll(/[0189]/g, 'b');
          const { status } = await send('query', from, { playback: known });
          holds(status < 500 || status === 503, `a query is answered ${status}`);
        }
      }
    };
    let isOver = false;
    const attack = Promise.all(Array.from({ length: atATime }, attacker)).finally(() => {
      isOver = true;
    });
    // A failed attack is reported once the viewers are through.
    attack.catch(() => undefined);
    const waits: number[] = [];
    for (let n = 0; n < honest || !isOver; n++) {
      const began = performance.now();
      const { status } = await send('unlock', `127.${100 + (n % 100)}.${n % 250}.1`, { playback, password });
      holds(status === 200, `viewer ${n + 1}, who knows the password, is answered ${status}`);
      waits.push(performance.now() - began);
      await sleep(100);
    }
    await attack;
    const tried = counts.get('401') ?? 0;
    holds(tried < guesses / 4, `${tried} of ${guesses} guesses were tried`);
    const slowestMs = Math.round(Math.max(...waits));
    holds(slowestMs < slowMs, `a viewer who knows the password waited ${slowestMs} ms`);
    const said = [...counts].map(([status, times]) => `${times} × ${status}`).join(', ');
    return `${said}; ${waits.length} viewers let in, within ${slowestMs} ms`;
  },
};
