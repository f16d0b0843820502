import { describe, expect, it } from 'vitest';
import { CheckedStream, every } from './checked-stream.fixture.ts';

/** Plays so many seconds and returns the claims of the plain and the low-latency master playlist after each. */
function claimsOf(checked: CheckedStream, seconds: number, isKeyframe: (ms: number) => boolean) {
  const isClaimed = (isLow: boolean) =>
    checked.streams.find('live/show')?.offered({ isLow })[0]?.isIndependent ?? false;
  const claims = { plain: [] as boolean[], low: [] as boolean[] };
  for (let second = 0; second < seconds; second++) {
    checked.play({ seconds: 1, isKeyframe: (ms) => isKeyframe(1000 * second + ms) });
    claims.plain.push(isClaimed(false));
    claims.low.push(isClaimed(true));
  }
  return claims;
}

/** True when a claim was made and is not made any more. */
const isWithdrawn = (claims: readonly boolean[]) =>
  claims.slice(claims.indexOf(true)).includes(false) && claims.includes(true);

describe('EXT-X-INDEPENDENT-SEGMENTS', () => {
  it.each([
    ['each second', every(1000), true, true],
    ['each two seconds', every(2000), true, true],
    ['each 8.3 s, as OBS does', every(8320), true, false],
    ['each ten seconds', every(10_000), true, false],
    ['each 25 s', every(25_000), false, false],
    ['only once', (ms: number) => ms === 0, false, false],
  ])('stays on a stream with a keyframe %s', async (_name, isKeyframe, plain, low) => {
    const all = claimsOf(await CheckedStream.open(), 120, isKeyframe);
    for (const [claims, isClaimed] of [
      [all.plain, plain],
      [all.low, low],
    ] as const) {
      expect(claims[0]).toBe(false);
      expect(claims.at(-1)).toBe(isClaimed);
      expect(isWithdrawn(claims)).toBe(false);
    }
  });

  it('does not return after a group of pictures was cut, even when that segment has left the playlist', async () => {
    const checked = await CheckedStream.open();
    claimsOf(checked, 60, (ms) => ms === 0);
    const after = claimsOf(checked, 180, every(1000)).plain;
    expect(checked.plainTexts.at(-1)).toContain('INDEPENDENT-SEGMENTS');
    expect(after).not.toContain(true);
  });

  it('is set on a stream of audio alone', async () => {
    const checked = await CheckedStream.open();
    checked.play({ seconds: 12, isKeyframe: () => false, video: false });
    expect(checked.streams.find('live/show')?.offered({ isLow: false })[0]?.isIndependent).toBe(true);
  });

  it('stays true when a scene changes shortly after a keyframe and the next keyframe is far away', async () => {
    // Segments may have 10.499 s here: from 20 to 32 s they must not, so one ends at 22 s.
    const claims = claimsOf(await CheckedStream.open(), 60, (ms) => every(10_000)(ms < 21_000 ? ms : ms - 2000)).plain;
    expect(claims.at(-1)).toBe(true);
    expect(isWithdrawn(claims)).toBe(false);
  });
});
