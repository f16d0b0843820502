import type { Log } from '@weir/plane';
import { placeText, type SubtitleTrack, type WirePlace } from '@weir/streams';
import type { Events } from '../../core/events.ts';
import { Mutex } from '../../core/mutex.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { RecentIds } from '../../segments/recent-ids.ts';
import { languageName } from './language-name.ts';

interface Context {
  readonly mediaServer: Pick<MediaServer, 'setSubtitleTracks' | 'addCues'>;
  readonly events: Pick<Events, 'on'>;
  /** Configured language; empty for automatic detection. */
  readonly language: () => string;
  /** Further languages. */
  readonly translations: () => readonly string[];
  readonly log: Log;
}

interface Shown {
  readonly place: WirePlace;
  readonly language: string;
  /** Cues last sent to viewers, by language and id. */
  readonly told: Map<string, Map<string, Told>>;
}

interface Told {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  /** Original text of a translation. */
  readonly source?: string;
}

/** Texts remembered per stream so that they can be corrected: longer than a segment rests. */
const mostTold = 200;
/** Beside those that are chosen there may be some that were. */
const mostLanguages = 16;

/** Subtitles in the players of the stream itself, as soon as they are understood. Corrections follow. */
export class Captions {
  readonly #context: Context;
  readonly #shown = new Map<string, Shown>();
  /** Keeps the calls of one stream in order. */
  readonly #turns = new Mutex();
  /** Viewers are past these: between what is said now they would only confuse. */
  readonly #missed = new RecentIds(mostTold);

  constructor(context: Context) {
    this.#context = context;
    context.events.on('cue:spoken', (cue) => {
      if (cue.isMissed) this.#missed.add(idOf(cue));
      else this.#publish(cue, [{ id: idOf(cue), ...cue }]);
    });
    context.events.on('cue:translated', (cue) => {
      if (!this.#missed.has(idOf(cue))) this.#publish(cue, [{ id: idOf(cue), ...cue }], cue.language);
    });
    context.events.on('transcript:settled', ({ cues, ...segment }) => this.#publishFinal(segment, cues));
  }

  /** Sets the streams with subtitles. Must be called again when one of them restarts. */
  follow(places: readonly WirePlace[]): void {
    const track = trackOf(this.#context.language());
    const others = this.#context.translations().filter((language) => language !== track.language);
    const tracks = [track, ...others.map((language) => ({ ...trackOf(language), isDefault: false }))];
    const wanted = new Set(places.map(placeText));
    for (const [key, { place }] of this.#shown) {
      if (wanted.has(key)) continue;
      this.#shown.delete(key);
      this.#say(key, () => this.#context.mediaServer.setSubtitleTracks(place, []));
    }
    for (const { vhost, app, stream } of places) {
      const place = { vhost, app, stream };
      const key = placeText(place);
      const told = this.#shown.get(key)?.told ?? new Map<string, Map<string, Told>>();
      this.#shown.set(key, { place, language: track.language, told });
      this.#say(key, () => this.#context.mediaServer.setSubtitleTracks(place, tracks));
    }
  }

  /** True if this stream has subtitles. */
  isShown(place: WirePlace): boolean {
    return this.#shown.has(placeText(place));
  }

  /**
   * Sends interim text, for players that can replace it on the screen. The same ids are later sent as final or
   * withdrawn.
   */
  grow(place: WirePlace, epoch: string, pages: readonly Told[]): void {
    const key = placeText(place);
    const shown = this.#shown.get(key);
    if (!shown) return;
    const cues = pages.map((page) => ({ ...page, id: idOf({ ...page, epoch }), isInterim: true }));
    this.#say(key, () => this.#context.mediaServer.addCues(shown.place, shown.language, cues));
  }

  #publish(place: WirePlace, cues: readonly ({ readonly id: string } & Told)[], language?: string): void {
    const key = placeText(place);
    const shown = this.#shown.get(key);
    if (!shown || cues.length === 0) return;
    const track = language ?? shown.language;
    const told = shown.told.get(track) ?? new Map<string, Told>();
    if (shown.told.size < mostLanguages) shown.told.set(track, told);
    for (const { id, startMs, endMs, text, source } of cues) {
      told.delete(id);
      told.set(id, { startMs, endMs, text, ...(source !== undefined && { source }) });
    }
    for (const id of told.keys()) if (told.size > mostTold) told.delete(id);
    const { mediaServer } = this.#context;
    const sent = cues.map(({ id, startMs, endMs, text }) => ({ id, startMs, endMs, text }));
    this.#say(key, () => mediaServer.addCues(shown.place, track, sent));
  }

  /** Sends the final text of a segment: cleared cues are withdrawn, edited ones replaced, translations added. */
  #publishFinal(segment: WirePlace & { epoch: string; startMs: number; endMs: number }, cues: readonly Told[]): void {
    const shown = this.#shown.get(placeText(segment));
    if (!shown) return;
    const final = new Map(cues.map((cue) => [idOf({ ...cue, epoch: segment.epoch }), cue.text]));
    for (const [language, told] of shown.told) {
      const changed = [...told].flatMap(([id, cue]) => {
        const isOfSegment =
          id.startsWith(`${segment.epoch}/`) && cue.startMs < segment.endMs && cue.endMs > segment.startMs;
        const text = final.get(id) ?? '';
        if (!isOfSegment || text === (cue.source ?? cue.text)) return [];
        if (cue.source === undefined) return [{ id, ...cue, text }];
        return cue.text === '' ? [] : [{ id, ...cue, text: '' }];
      });
      this.#publish(segment, changed, language);
    }
  }

  #say(key: string, call: () => Promise<boolean>): void {
    this.#turns
      .take(call, key)
      .catch((error: unknown) => this.#context.log.debug({ err: error }, 'subtitle could not be sent'));
  }
}

function idOf({ epoch, startMs }: { epoch: string; startMs: number }): string {
  return `${epoch}/${Math.round(startMs)}`;
}

function trackOf(language: string): SubtitleTrack {
  if (language === '') return { language: 'und', name: 'Subtitles', isDefault: true };
  return { language, name: languageName(language), isDefault: true };
}
