import { type Attack, holds } from '../attack.ts';

const guesses = 4000;
const atATime = 20;

export const guessesFromEverywhere: Attack = {
  id: 'S02',
  title: `${guesses} passwords guessed from as many networks, while the administrator signs in`,
  growthMb: 80,
  async run(target) {
    const counts = new Map<number, number>();
    let next = 0;
    const guess = async () => {
      while (next < guesses) {
        next += 1;
        const from = `127.${1 + (next % 200)}.${next % 250}.${(next % 253) + 1}`;
        const body = JSON.stringify({ password: `guess ${next}` });
        const { status } = await target.sendRequest('/terraform/v1/mgmt/login', { method: 'POST', from, body });
        counts.set(status, (counts.get(status) ?? 0) + 1);
      }
    };
    const attack = Promise.all(Array.from({ length: atATime }, guess));
    // A failed attack is reported after the sign-in.
    attack.catch(() => undefined);
    const signIn = await target.live.weir.post('/terraform/v1/mgmt/login', { password: 'the password' });
    await attack;
    holds(signIn.status === 200, `the administrator is answered ${signIn.status}`);
    const tried = counts.get(401) ?? 0;
    holds(tried < guesses / 4, `${tried} of ${guesses} guesses were tried`);
    return [...counts].map(([code, count]) => `${count} × ${code}`).join(', ');
  },
};
