import { HookFields, MalformedHook } from './hook-fields.ts';
import type { WirePlace } from './stream-place.ts';

/** Subtitle track of one language. */
export interface SubtitleTrack {
  /** BCP 47: `en`, `zh-Hans`. Tells tracks of a stream apart. */
  readonly language: string;
  /** Label in the menu of players. */
  readonly name: string;
  /** Shown by players unless the viewer decides otherwise. */
  readonly isDefault: boolean;
}

/** A text and when it is said, on the stream's clock: that of the timestamps which FLV, RTMP and MPEG-TS carry. */
export interface Cue {
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Lines are parted by line feeds. An empty one takes back what was said under this id. */
  readonly text: string;
  /** Will be said again in other words: for whoever can replace it on the screen. */
  readonly isInterim?: boolean;
}

/** Path on the media server's private socket. */
export const subtitlePaths = { tracks: '/weir/v1/subtitles', cues: '/weir/v1/cues' } as const;

export const mostSubtitleTracks = 16;
/** In one call. */
export const mostCues = 1000;
const languagePattern = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/;
const longestName = 60;
const longestId = 64;
const longestText = 2000;
const longestCueMs = 60_000;

interface ToldTracks {
  readonly place: WirePlace;
  readonly tracks: readonly SubtitleTrack[];
}

interface ToldCues {
  readonly place: WirePlace;
  readonly language: string;
  readonly cues: readonly Cue[];
}

/** Throws MalformedHook. */
export function parseToldTracks(body: unknown): ToldTracks {
  return { place: placeIn(body), tracks: parseSubtitleTracks(listIn(body, 'tracks')) };
}

/** Throws MalformedHook. */
export function parseToldCues(body: unknown): ToldCues {
  return { place: placeIn(body), language: languageIn(body), cues: parseCues(listIn(body, 'cues')) };
}

/** Throws MalformedHook. Each language once, at most one default. */
export function parseSubtitleTracks(values: readonly unknown[]): SubtitleTrack[] {
  if (values.length > mostSubtitleTracks) throw new MalformedHook('tracks: too many');
  const tracks = values.map((value) => ({
    language: languageIn(value),
    name: plainLine(new HookFields(value).text('name', { most: longestName })),
    isDefault: new HookFields(value).flag('isDefault') ?? false,
  }));
  const isTwice = (kept: readonly unknown[]) => new Set(kept).size < kept.length;
  if (isTwice(tracks.map(({ language }) => language.toLowerCase())))
    throw new MalformedHook('tracks: each language must be unique');
  if (tracks.filter(({ isDefault }) => isDefault).length > 1) throw new MalformedHook('tracks: more than one default');
  return tracks;
}

/** Throws MalformedHook. Text that is too long is cut: it comes from a recogniser. */
export function parseCues(values: readonly unknown[]): Cue[] {
  if (values.length > mostCues) throw new MalformedHook('cues: too many');
  return values.map((value) => {
    const fields = new HookFields(value);
    const startMs = fields.number('startMs');
    const endMs = fields.number('endMs');
    if (endMs <= startMs || endMs - startMs > longestCueMs)
      throw new MalformedHook('endMs: must be after startMs, within the longest duration of a cue');
    const isInterim = fields.flag('isInterim') ?? false;
    const cue = { id: plainLine(fields.text('id', { least: 1, most: longestId })), startMs, endMs };
    return { ...cue, text: plainLines(fields.text('text')), ...(isInterim && { isInterim }) };
  });
}

function placeIn(body: unknown): WirePlace {
  const fields = new HookFields(body);
  return { vhost: fields.text('vhost'), app: fields.text('app'), stream: fields.text('stream') };
}

function languageIn(body: unknown): string {
  const language = new HookFields(body).text('language');
  if (!languagePattern.test(language)) throw new MalformedHook('language: must be a language tag');
  return language;
}

function listIn(body: unknown, name: string): readonly unknown[] {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  if (!Array.isArray(value)) throw new MalformedHook(`${name}: must be a list`);
  return value;
}

/** Without what would end a line or a quoted text of a playlist. */
function plainLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('"', "'")
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}

/** Removes empty lines, which end a WebVTT cue, and control characters. */
function plainLines(text: string): string {
  return text
    .slice(0, longestText)
    .toWellFormed()
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.replace(/\p{Cc}+/gu, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}
