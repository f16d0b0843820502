import type { Socket } from 'node:net';
import type { Cue, SubtitleTrack } from '@weir/dialect';
import { dropSocket } from '../../hub/fan-out/drop-socket.ts';
import type { StreamSubtitles, SubtitleListener } from '../../hub/subtitles/stream-subtitles.ts';

interface Options {
  readonly beatMs: number;
  /** Called when the last reader left or the stream is over. */
  readonly onEmpty: () => void;
}

/** Players are behind by a minute at most. */
const recentMs = 90_000;
/** Backlog of a listener that does not read: the text of minutes. */
const mostWaitingBytes = 128 * 1024;

/** The cues of one stream as server-sent events: written once, sent to everybody. */
export class CueFeed implements SubtitleListener {
  readonly #subtitles: StreamSubtitles;
  readonly #options: Options;
  readonly #sockets = new Set<Socket>();
  readonly #leave: () => void;
  readonly #beat: NodeJS.Timeout;
  /** Cached first message for new listeners. */
  #greeting: Buffer | undefined;

  constructor(subtitles: StreamSubtitles, options: Options) {
    this.#subtitles = subtitles;
    this.#options = options;
    this.#leave = subtitles.listen(this);
    // The beat also syncs players' clocks and keeps proxies from closing an idle connection.
    this.#beat = setInterval(() => this.#send('time', {}), options.beatMs).unref();
  }

  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#remove(socket));
    this.#greeting ??= this.#greet();
    // First, since only this is of now: by it a player knows how far behind it is.
    socket.write(this.#event('time', {}));
    socket.write(this.#greeting);
  }

  onTracks(tracks: readonly SubtitleTrack[]): void {
    this.#greeting = undefined;
    this.#send('tracks', { tracks });
  }

  onCues(language: string, cues: readonly Cue[]): void {
    this.#greeting = undefined;
    this.#send('cues', { language, cues });
  }

  onEnd(): void {
    const last = this.#event('end', {});
    this.#close();
    for (const socket of this.#sockets) socket.end(last);
  }

  /** Without a word: who listens asks again. */
  drop(): void {
    this.#close();
    for (const socket of this.#sockets) dropSocket(socket);
  }

  #remove(socket: Socket): void {
    this.#sockets.delete(socket);
    if (this.#sockets.size === 0) this.#close();
  }

  #close(): void {
    clearInterval(this.#beat);
    this.#leave();
    this.#options.onEmpty();
  }

  #greet(): Buffer {
    const { tracks, nowMs } = this.#subtitles;
    const said = tracks.flatMap(({ language }) => {
      const byArrival = new Map<number, Cue[]>();
      for (const { arrivedMs, ...cue } of this.#subtitles.shelf(language)?.all() ?? []) {
        if (cue.endMs <= nowMs - recentMs) continue;
        byArrival.set(arrivedMs, [...(byArrival.get(arrivedMs) ?? []), cue]);
      }
      return [...byArrival].map(([knownMs, cues]) => this.#event('past', { knownMs, language, cues }));
    });
    return Buffer.concat([this.#event('tracks', { tracks }), ...said]);
  }

  #send(name: string, data: object): void {
    const event = this.#event(name, data);
    for (const socket of this.#sockets) {
      if (socket.writableLength > mostWaitingBytes) dropSocket(socket);
      else socket.write(event);
    }
  }

  #event(name: string, data: object): Buffer {
    const text = JSON.stringify({ nowMs: Math.round(this.#subtitles.nowMs), ...data });
    return Buffer.from(`event: ${name}\ndata: ${text}\n\n`);
  }
}
