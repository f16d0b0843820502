import { MalformedMessage, MessageFields } from './message-fields.ts';

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
  /** Interim text that later cues replace. */
  readonly isInterim?: boolean;
}

export const mostSubtitleTracks = 16;
/** In one call. */
export const mostCues = 1000;
const languagePattern = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/;
const longestName = 60;
const longestId = 64;
const longestText = 2000;
const longestCueMs = 60_000;

/** The field `tracks` of a message: each language once, at most one default. Throws MalformedMessage. */
export function decodeSubtitleTracks(body: unknown): SubtitleTrack[] {
  const tracks = new MessageFields(body).list('tracks', mostSubtitleTracks, decodeTrack);
  const languages = new Set(tracks.map(({ language }) => language.toLowerCase()));
  if (languages.size < tracks.length) throw new MalformedMessage('tracks', 'each language must be unique');
  if (tracks.filter(({ isDefault }) => isDefault).length > 1) {
    throw new MalformedMessage('tracks', 'must have at most one default');
  }
  return tracks;
}

/** The field `cues` of a message. Throws MalformedMessage. */
export function decodeCues(body: unknown): Cue[] {
  return new MessageFields(body).list('cues', mostCues, decodeCue);
}

/** The field `language` of a message. Throws MalformedMessage. */
export function decodeLanguage(body: unknown): string {
  const language = new MessageFields(body).text('language');
  if (!languagePattern.test(language)) throw new MalformedMessage('language', 'must be a language tag');
  return language;
}

function decodeTrack(value: unknown): SubtitleTrack {
  const fields = new MessageFields(value);
  return {
    language: decodeLanguage(value),
    name: plainLine(fields.text('name', { most: longestName })),
    isDefault: fields.optionalFlag('isDefault') ?? false,
  };
}

/** Text that is too long is cut: it comes from a recogniser. */
function decodeCue(value: unknown): Cue {
  const fields = new MessageFields(value);
  const startMs = fields.number('startMs');
  const endMs = fields.number('endMs');
  if (endMs <= startMs || endMs - startMs > longestCueMs) {
    throw new MalformedMessage('endMs', 'must be after startMs, within the longest duration of a cue');
  }
  const isInterim = fields.optionalFlag('isInterim') ?? false;
  return {
    id: plainLine(fields.text('id', { least: 1, most: longestId })),
    startMs,
    endMs,
    text: plainLines(fields.text('text')),
    ...(isInterim && { isInterim }),
  };
}

/** Removes characters that would end a line or a quoted string of a playlist. */
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
