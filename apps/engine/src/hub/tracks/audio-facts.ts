/** Description of an audio track for viewers; fields are empty if unknown. */
export interface AudioFacts {
  /** A language tag (BCP 47). */
  readonly language: string;
  readonly name: string;
}

export const unknownAudio: AudioFacts = { language: '', name: '' };

const mapField = 'audioTrackIdInfoMap';
const mapFields: readonly string[] = [mapField, 'videoTrackIdInfoMap'];
const longestTag = 35;
const longestName = 60;

/**
 * Facts of a publisher's audio tracks by number: languages from its address (`audio=en.de`, in the order of the tracks), or languages and
 * names from its metadata (Enhanced RTMP v2, which describes track 0 by the fields of the stream).
 */
export function readAudioFacts(
  metadata: Readonly<Record<string, unknown>>,
  param: string,
): (track: number) => AudioFacts {
  const [, list = ''] = /[?&]audio=([^&#]*)/.exec(param) ?? [];
  const asked = list === '' ? [] : list.split(/[.,;+ ]/);
  const map = toObject(metadata[mapField]);
  return (track) => {
    const said = toObject(map[String(track)]);
    const ofStream = track === 0 ? metadata.language : undefined;
    const language = toLanguage(asked[track]) || toLanguage(said.language ?? ofStream);
    return { language, name: toName(said.name ?? said.title) || nameOf(language) };
  };
}

/** Metadata without the fields about further tracks, for players that get one track. */
export function withoutTrackMaps(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!mapFields.some((field) => metadata[field] !== undefined)) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([field]) => !mapFields.includes(field)));
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function toLanguage(value: unknown): string {
  if (typeof value !== 'string' || value.length > longestTag) return '';
  try {
    const [tag = ''] = Intl.getCanonicalLocales(value);
    return tag === 'und' ? '' : tag;
  } catch {
    return '';
  }
}

/** Goes into a quoted string of a playlist. */
function toName(value: unknown): string {
  return typeof value === 'string'
    ? value
        .replace(/[\p{C}"]/gu, '')
        .trim()
        .slice(0, longestName)
        .toWellFormed()
    : '';
}

/** In the language itself. */
function nameOf(language: string): string {
  if (language === '') return '';
  return toName(new Intl.DisplayNames([language], { type: 'language' }).of(language));
}
