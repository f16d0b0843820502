import { expect, it } from 'vitest';
import { systemClock } from '../../core/clock.ts';
import { hashPassword } from '../../core/passwords/password.ts';
import { PasswordGuard } from './password-guard.ts';

const viewer = (n: number) => `198.${n % 20}.${n % 200}.${n % 251}`;
const cheap = { N: 1024, r: 8, p: 1 };
const outcome = (check: Promise<void>) =>
  check.then(
    () => 'right',
    ({ message }: Error) => (message === 'incorrect password' ? 'wrong' : 'limited'),
  );

it('lets in hundreds of viewers who know the password while it is hashed a few times only', async () => {
  const guard = new PasswordGuard(systemClock);
  const stored = await hashPassword('sesame');
  const hashing = process.cpuUsage();
  const first = await Promise.all([0, 1, 2, 3].map((n) => outcome(guard.check('sesame', stored, viewer(n)))));
  expect(first).toEqual(['right', 'right', 'right', 'right']);
  const onceMs = process.cpuUsage(hashing).user / 1000;
  const crowd = process.cpuUsage();
  for (let n = 0; n < 400; n++) expect(await outcome(guard.check('sesame', stored, viewer(n)))).toBe('right');
  expect(process.cpuUsage(crowd).user / 1000).toBeLessThan(10 * onceMs);
});

it('S02: limits guesses of viewers from any number of networks, also once the right password is known', async () => {
  let nowMs = 0;
  const guard = new PasswordGuard({ elapsedMs: () => nowMs });
  const stored = await hashPassword('sesame', cheap);
  await guard.check('sesame', stored, viewer(0));
  const guess = async () => {
    const guesses = Array.from({ length: 4000 }, (_, n) => outcome(guard.check(`guess ${n}`, stored, viewer(n))));
    return (await Promise.all(guesses)).filter((each) => each !== 'limited');
  };
  expect(await guess()).toEqual(Array(300).fill('wrong'));
  nowMs = 10_000;
  expect(await guess()).toEqual(Array(100).fill('wrong'));
  nowMs = 70_000;
  expect(await outcome(guard.check('sesame', stored, viewer(0)))).toBe('right');
});

it('forgets what it knows of a password that was changed', async () => {
  const guard = new PasswordGuard(systemClock);
  const [before, after] = [await hashPassword('sesame', cheap), await hashPassword('another', cheap)];
  await guard.check('sesame', before, viewer(0));
  expect(await outcome(guard.check('sesame', after, viewer(0)))).toBe('wrong');
  expect(await outcome(guard.check('another', after, viewer(0)))).toBe('right');
});

it('S02: lets viewers from elsewhere in before all guesses that wait, and at once when the owner has just set the password', async () => {
  const guard = new PasswordGuard(systemClock);
  const stored = await hashPassword('sesame', cheap);
  const outcomes: string[] = [];
  const enter = async (password: string, address: string) => {
    outcomes.push(await outcome(guard.check(password, stored, address)));
  };
  const guesses = Array.from({ length: 20 }, (_, n) => enter(`guess ${n}`, '198.51.100.7'));
  const viewer = enter('sesame', '203.0.113.5');
  await Promise.all([...guesses, viewer]);
  // One guess is hashed already when the viewer comes.
  expect(outcomes.filter((each) => each !== 'limited').indexOf('right')).toBeLessThanOrEqual(1);

  // No hash: whoever checked it would find the password wrong.
  guard.learn('another', 'no hash');
  expect(await outcome(guard.check('another', 'no hash', '203.0.113.6'))).toBe('right');
});
