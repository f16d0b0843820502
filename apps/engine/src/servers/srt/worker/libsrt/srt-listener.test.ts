import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RawCaller } from './srt-handshake.fixture.ts';
import { loadSrtLibrary } from './srt-library.ts';
import { SrtListener } from './srt-listener.ts';
import { SrtPoll } from './srt-poll.ts';

const accepted = -1;
const anyone = { streamId: 'live/x' };
let poll: SrtPoll;
let listener: SrtListener;

beforeEach(async () => {
  const library = await loadSrtLibrary('');
  poll = new SrtPoll(library, () => undefined);
  listener = SrtListener.open(library, poll, {
    listen: { host: undefined, port: 0 },
    passphrase: '',
    isFiltered: true,
    latencyMs: 200,
  });
  listener.accept({ judge: () => 0, onTurn: () => undefined, onCaller: (socket) => void socket.close() });
});
afterEach(async () => {
  await listener.close();
  await poll.close();
});

describe('SrtListener', () => {
  it.each([
    ['127.0.0.1', '::1'],
    ['::1', '127.0.0.1'],
  ])('ignores %s while it is blocked, and answers %s', async (blocked, free) => {
    const [unheard, heard] = [await RawCaller.open(listener.port, blocked), await RawCaller.open(listener.port, free)];
    listener.block([blocked, '2001:db8::1', '192.0.2.1']);
    const id = await unheard.throwConclusion(anyone);
    expect(await heard.conclude(anyone)).toBe(accepted);
    expect(unheard.answerTo(id)).toBeUndefined();
    listener.block(['2001:db8::1', '192.0.2.1']);
    expect(await unheard.conclude(anyone)).toBe(accepted);
    unheard.close();
    heard.close();
  });

  it('reports the address of a caller, IPv4 or IPv6', async () => {
    const addresses: string[] = [];
    const library = await loadSrtLibrary('');
    const other = SrtListener.open(library, poll, {
      listen: { host: undefined, port: 0 },
      passphrase: '',
      isFiltered: true,
      latencyMs: 200,
    });
    const judge = (_streamId: string, address: string) => {
      addresses.push(address);
      return 1403;
    };
    other.accept({ judge, onTurn: () => undefined, onCaller: () => undefined });
    for (const from of ['127.0.0.1', '::1']) {
      const caller = await RawCaller.open(other.port, from);
      expect(await caller.conclude(anyone)).toBe(2403);
      caller.close();
    }
    expect(new Set(addresses)).toEqual(new Set(['127.0.0.1', '::1']));
    await other.close();
  });
});
