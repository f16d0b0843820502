import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PlayerFailure } from '../session/player-failure.ts';
import { openFlv } from './flv-playback.ts';
import type { Playback } from './playback.ts';

/** Media Source Extensions of a browser whose decoder has failed and accepts no more data. */
class BrokenMediaSource extends EventTarget {
  static isTypeSupported = () => true;
  readyState = 'closed';
  addSourceBuffer() {
    const appendBuffer = () => {
      throw new Error('the element is broken');
    };
    return Object.assign(new EventTarget(), { updating: false, buffered: [], appendBuffer, abort: () => undefined });
  }
  removeSourceBuffer() {}
  endOfStream() {}
}

const decoder = '0142c00affe100156742c00ad9096c0440000003004000000c83c4899201000568cb83cb20';
const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const video = (kind: number, rest: string) => bytesOf(`${kind.toString(16)}${rest}`);
const config = video(0x17, `00000000${decoder}`);
const picture = (kind: number) => video(kind, `01000000${'00000004'}65888408`);

/** FLV tag with its trailing length. */
function tag(timeMs: number, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(payload.length + 15);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x09_000000 | payload.length);
  view.setUint32(4, timeMs << 8);
  bytes.set(payload, 11);
  view.setUint32(payload.length + 11, payload.length + 11);
  return bytes;
}

const head = bytesOf('464c5601010000000900000000');
const pictures = Array.from({ length: 5 }, (_, n) => tag(40 * n, picture(n === 0 ? 0x17 : 0x27)));
const film = Uint8Array.from([head, tag(0, config), ...pictures].flatMap((bytes) => [...bytes]));

const thrown: unknown[] = [];
const onThrown = (error: unknown) => thrown.push(error);
beforeEach(() => {
  process.on('unhandledRejection', onThrown);
  vi.stubGlobal('MediaSource', BrokenMediaSource);
  vi.spyOn(URL, 'createObjectURL').mockImplementation((source) => {
    setTimeout(() => {
      Object.assign(source, { readyState: 'open' });
      (source as unknown as EventTarget).dispatchEvent(new Event('sourceopen'));
    });
    return 'blob:film';
  });
});
afterEach(() => {
  process.off('unhandledRejection', onThrown);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('can be closed from its failure handler while mpegts.js is still working', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  vi.stubGlobal('fetch', async (url: string) => {
    await opened;
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(film);
        controller.close();
      },
    });
    return { ok: true, status: 200, url, headers: new Headers(), body };
  });
  const failures: PlayerFailure[] = [];
  let playback: Playback | undefined;
  const onFailure = (failure: PlayerFailure) => {
    failures.push(failure);
    playback?.close();
  };
  const element = document.createElement('video');
  const { signal } = new AbortController();
  playback = await openFlv({ video: element, url: 'http://weir.test/a.flv', events: { onFailure }, signal });
  setTimeout(open, 10);
  await vi.waitFor(() => expect(failures).toHaveLength(1));
  // Lets pending work of the library run.
  await new Promise((resolve) => setTimeout(resolve));
  expect(thrown).toEqual([]);
  expect(failures).toEqual([{ kind: 'network', detail: expect.stringContaining('the element is broken') }]);
});
