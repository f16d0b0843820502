import { expect, it, vi } from 'vitest';
import { AudioQueue, type AudioSink } from './audio-queue.ts';
import type { AudioSource, PlaybackView } from './voice-types.ts';

/** Manually controlled speaker and server. */
function room() {
  const loads = new Map<string, PromiseWithResolvers<ArrayBuffer>>();
  const dropped: string[] = [];
  const playing: { clip: string; end: () => void }[] = [];
  const heard: string[] = [];
  const source: AudioSource = {
    load: (asid, signal) => {
      const load = Promise.withResolvers<ArrayBuffer>();
      loads.set(asid, load);
      signal.addEventListener('abort', () => load.reject(new Error('aborted')));
      return load.promise;
    },
    drop: (asid) => dropped.push(asid),
  };
  const output: AudioSink<string> & { isBlocked: boolean } = {
    isBlocked: false,
    decode: async (bytes) => {
      const text = new TextDecoder().decode(bytes);
      // Decoding detaches the buffer.
      structuredClone(bytes, { transfer: [bytes] });
      if (text === 'garbage') throw new Error('no audio');
      return text;
    },
    play: (clip, signal) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      playing.push({ clip, end: resolve });
      heard.push(clip);
      signal.addEventListener('abort', () => resolve());
      return promise;
    },
  };
  const queue = new AudioQueue(source, output);
  const ready = async (asid: string, text = asid) => {
    await vi.waitFor(() => expect(loads.has(asid)).toBe(true));
    loads.get(asid)?.resolve(new TextEncoder().encode(text).buffer as ArrayBuffer);
  };
  /** Ends the current clip. */
  const end = async (clip: string) => {
    await vi.waitFor(() => expect(playing[0]?.clip).toBe(clip));
    playing.shift()?.end();
  };
  const shows = (view: Partial<PlaybackView>) => vi.waitFor(() => expect(queue.view()).toMatchObject(view));
  return { queue, output, loads, dropped, playing, heard, ready, end, shows };
}

it('plays clips in order whichever is ready first, without a gap', async () => {
  const { queue, loads, dropped, heard, ready, end, shows } = room();
  const outcomes = Promise.all(['a', 'b', 'c', 'd'].map((asid) => queue.add(asid)));
  await shows({ state: 'loading', asid: 'a' });
  // Two load at a time; the others follow as these are played.
  expect([...loads.keys()]).toEqual(['a', 'b']);
  await ready('b');
  await ready('a');
  await shows({ state: 'playing', asid: 'a' });
  await vi.waitFor(() => expect(heard).toEqual(['a', 'b']));
  await ready('d');
  await ready('c');
  expect(heard).toEqual(['a', 'b']);
  await end('a');
  await shows({ state: 'playing', asid: 'b' });
  await vi.waitFor(() => expect(heard).toEqual(['a', 'b', 'c']));
  for (const clip of ['b', 'c', 'd']) await end(clip);
  expect(await outcomes).toEqual(['played', 'played', 'played', 'played']);
  await shows({ state: 'idle', asid: '' });
  expect(dropped.toSorted()).toEqual(['a', 'b', 'c', 'd']);
});

it('skips clips that cannot be loaded or decoded', async () => {
  const { queue, loads, heard, ready, end } = room();
  const outcomes = Promise.all(['a', 'b', 'c'].map((asid) => queue.add(asid)));
  loads.get('a')?.reject(new Error('404'));
  await ready('b', 'garbage');
  await ready('c');
  await end('c');
  expect(await outcomes).toEqual(['failed', 'failed', 'played']);
  expect(heard).toEqual(['c']);
});

it('stops for speech and plays later clips', async () => {
  const { queue, ready, end, heard, shows } = room();
  const first = Promise.all(['a', 'b', 'c'].map((asid) => queue.add(asid)));
  await ready('a');
  await shows({ state: 'playing', asid: 'a' });
  queue.stop();
  expect(queue.view().state).toBe('idle');
  expect(await first).toEqual(['stopped', 'stopped', 'stopped']);
  const next = queue.add('d');
  await ready('d');
  await vi.waitFor(() => expect(heard).toEqual(['a', 'd']));
  await end('a');
  await end('d');
  expect(await next).toBe('played');
});

it('skips the rest of a stopped answer, unless it is replayed', async () => {
  const { queue, ready, end, heard, shows } = room();
  void queue.add('a', 'first');
  await ready('a');
  await shows({ state: 'playing', asid: 'a' });
  queue.stop();
  expect(await queue.add('b', 'first')).toBe('stopped');
  // Two noises, then a person.
  queue.allowStopped();
  queue.stop();
  expect(await queue.add('g', 'first')).toBe('stopped');
  queue.allowStopped();
  void queue.add('e', 'first');
  await ready('e');
  await shows({ state: 'playing', asid: 'e' });
  queue.stop();
  queue.stop();
  queue.allowStopped();
  expect(await queue.add('f', 'first')).toBe('stopped');
  const next = queue.add('c', 'second');
  await ready('c');
  await end('a');
  await end('e');
  await end('c');
  expect(await next).toBe('played');
  // Unmuting plays the following pieces.
  queue.setMuted(true);
  queue.setMuted(false);
  const rest = queue.add('d', 'second');
  await ready('d');
  await end('d');
  expect(await rest).toBe('played');
  const again = queue.replay(['b']);
  await ready('b');
  await end('b');
  expect([await again, heard]).toEqual([['played'], ['a', 'e', 'c', 'd', 'b']]);
});

it('replays a message from the cache, and a skipped one from the server', async () => {
  const { queue, loads, heard, ready, end, dropped } = room();
  queue.add('a');
  await ready('a');
  await end('a');
  loads.clear();
  const again = queue.replay(['a']);
  await end('a');
  expect([await again, loads.size, dropped]).toEqual([['played'], 0, ['a']]);
  queue.setMuted(true);
  expect(await queue.add('b')).toBe('silent');
  const missed = queue.replay(['b']);
  await ready('b');
  await end('b');
  expect([await missed, heard]).toEqual([['played'], ['a', 'a', 'b']]);
});

it('replays all pieces of a message without a gap until stopped', async () => {
  const { queue, heard, ready, end, playing, shows } = room();
  for (const asid of ['a', 'b', 'c']) {
    void queue.add(asid);
    await ready(asid);
    await end(asid);
  }
  const again = queue.replay(['a', 'b', 'c']);
  await shows({ state: 'playing', asid: 'a' });
  // The next clip is scheduled before this one ends.
  await vi.waitFor(() => expect(playing.map(({ clip }) => clip)).toEqual(['a', 'b']));
  await end('a');
  await vi.waitFor(() => expect(playing.map(({ clip }) => clip)).toEqual(['b', 'c']));
  queue.stop();
  expect(await again).toEqual(['played', 'stopped', 'stopped']);
  expect(heard).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});

it('reports when the browser blocks audio and when it is allowed', async () => {
  const { queue, output, ready, shows } = room();
  output.isBlocked = true;
  queue.add('a');
  await ready('a');
  await shows({ state: 'blocked', asid: 'a' });
  output.isBlocked = false;
  queue.updateView();
  expect(queue.view().state).toBe('playing');
});

it('limits the queue and releases all audio on the server', async () => {
  const { queue, dropped } = room();
  const first = queue.add('0');
  for (let n = 1; n <= 700; n++) queue.add(String(n));
  expect(await first).toBe('stopped');
  expect(dropped).toHaveLength(201);
  queue.close();
  expect(new Set(dropped).size).toBe(701);
});
