import { placeText, type SubtitleTrack, type WirePlace } from '@weir/dialect';
import type { Log } from '@weir/plane';
import type { Events } from '../../core/events.ts';
import { Turns } from '../../core/turns.ts';
import type { MediaServer } from '../../media-server/media-server.ts';

interface Context {
  readonly mediaServer: Pick<MediaServer, 'setSubtitleTracks' | 'addCues'>;
  readonly events: Pick<Events, 'on'>;
  /** As it is set; empty: the recogniser finds out. */
  readonly language: () => string;
  readonly log: Log;
}

interface Shown {
  readonly place: WirePlace;
  readonly track: SubtitleTrack;
  /** What viewers were told last, by id. */
  readonly told: Map<string, Told>;
}

interface Told {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

/** Texts remembered per stream so that they can be corrected: longer than a segment rests. */
const mostTold = 200;

/** Subtitles in the players of the stream itself, as soon as they are understood. Corrections follow. */
export class Captions {
  readonly #context: Context;
  readonly #shown = new Map<string, Shown>();
  /** What is told of one stream arrives in that order. */
  readonly #turns = new Turns();

  constructor(context: Context) {
    this.#context = context;
    context.events.on('cue:spoken', (cue) => this.#tell(cue, [{ id: idOf(cue), ...cue }]));
    context.events.on('transcript:settled', ({ cues, ...segment }) => this.#settle(segment, cues));
  }

  /** These streams have subtitles from now on, and no others. To be told again whenever one of them began anew. */
  follow(places: readonly WirePlace[]): void {
    const track = trackOf(this.#context.language());
    const wanted = new Set(places.map(placeText));
    for (const [key, { place }] of this.#shown) {
      if (wanted.has(key)) continue;
      this.#shown.delete(key);
      this.#say(key, () => this.#context.mediaServer.setSubtitleTracks(place, []));
    }
    for (const { vhost, app, stream } of places) {
      const place = { vhost, app, stream };
      const key = placeText(place);
      const told = this.#shown.get(key)?.told ?? new Map<string, Told>();
      this.#shown.set(key, { place, track, told });
      this.#say(key, () => this.#context.mediaServer.setSubtitleTracks(place, [track]));
    }
  }

  #tell(place: WirePlace, cues: readonly ({ readonly id: string } & Told)[]): void {
    const key = placeText(place);
    const shown = this.#shown.get(key);
    if (!shown || cues.length === 0) return;
    for (const { id, startMs, endMs, text } of cues) {
      shown.told.delete(id);
      shown.told.set(id, { startMs, endMs, text });
    }
    for (const id of shown.told.keys()) if (shown.told.size > mostTold) shown.told.delete(id);
    const { mediaServer } = this.#context;
    const sent = cues.map(({ id, startMs, endMs, text }) => ({ id, startMs, endMs, text }));
    this.#say(key, () => mediaServer.addCues(shown.place, shown.track.language, sent));
  }

  /** Of a segment whose text is final: what a person cleared is taken back, what was edited is replaced. */
  #settle(segment: WirePlace & { epoch: string; startMs: number; endMs: number }, cues: readonly Told[]): void {
    const told = this.#shown.get(placeText(segment))?.told;
    if (!told) return;
    const final = new Map(cues.map((cue) => [idOf({ ...cue, epoch: segment.epoch }), cue.text]));
    const changed = [...told].flatMap(([id, cue]) => {
      const isOfSegment =
        id.startsWith(`${segment.epoch}/`) && cue.startMs < segment.endMs && cue.endMs > segment.startMs;
      const text = final.get(id) ?? '';
      return isOfSegment && text !== cue.text ? [{ id, ...cue, text }] : [];
    });
    this.#tell(segment, changed);
  }

  #say(key: string, call: () => Promise<boolean>): void {
    this.#turns
      .take(call, key)
      .catch((error: unknown) => this.#context.log.debug({ err: error }, 'viewers miss a subtitle'));
  }
}

function idOf({ epoch, startMs }: { epoch: string; startMs: number }): string {
  return `${epoch}/${Math.round(startMs)}`;
}

function trackOf(language: string): SubtitleTrack {
  if (language === '') return { language: 'und', name: 'Subtitles', isDefault: true };
  const name = new Intl.DisplayNames([language, 'en'], { type: 'language' }).of(language) ?? language;
  return { language, name, isDefault: true };
}
