interface ReadPart {
  readonly uri: string;
  readonly seconds: number;
  readonly isIndependent: boolean;
  readonly isGap: boolean;
}

export interface ReadSegment {
  readonly sequence: number;
  /** Empty for one whose parts appear now. */
  readonly uri: string;
  /** Undefined for one whose parts appear now. */
  readonly seconds: number | undefined;
  readonly dateMs: number | undefined;
  readonly isDiscontinuity: boolean;
  readonly isGap: boolean;
  /** In effect for it; undefined where the playlist does not say. */
  readonly mapUri: string | undefined;
  readonly parts: readonly ReadPart[];
}

export type Attributes = ReadonlyMap<string, string>;

export interface ReadPlaylist {
  /** Faults of its lines. */
  readonly faults: string[];
  /** Tags that stand once and for all, with their values. */
  readonly header: ReadonlyMap<string, string>;
  readonly control: Attributes;
  readonly skipped: number;
  readonly segments: readonly ReadSegment[];
  readonly hints: readonly Attributes[];
  readonly reports: readonly Attributes[];
}

const once = new Set(
  ['VERSION', 'INDEPENDENT-SEGMENTS', 'TARGETDURATION', 'MEDIA-SEQUENCE', 'DISCONTINUITY-SEQUENCE']
    .concat(['SERVER-CONTROL', 'PART-INF', 'SKIP', 'ENDLIST', 'PLAYLIST-TYPE'])
    .map((name) => `#EXT-X-${name}`),
);
const ofEnd = new Set(['#EXT-X-PRELOAD-HINT', '#EXT-X-RENDITION-REPORT', '#EXT-X-ENDLIST']);
const dateForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Attributes as RFC 8216, 4.2 writes them; texts come without their quotes. Faults go where they are gathered. */
export function readAttributes(text: string, faults: string[]): Attributes {
  const found = new Map<string, string>();
  let rest = text;
  while (rest !== '') {
    const [all, name = '', value = ''] = /^([A-Z0-9-]+)=("[^"\r\n]*"|[^",\s]+)(?:,(?=.)|$)/.exec(rest) ?? [];
    if (all === undefined) {
      faults.push(`no attributes: ${rest}`);
      break;
    }
    if (found.has(name)) faults.push(`${name} stands twice in ${text}`);
    found.set(name, value.startsWith('"') ? value.slice(1, -1) : value);
    rest = rest.slice(all.length);
  }
  return found;
}

/** The lines of a playlist, each a tag with its value or an address. */
export function readLines(text: string, faults: string[]): { tag: string; value: string }[] {
  const lines = text.split('\n');
  if (lines[0] !== '#EXTM3U') faults.push('does not begin with #EXTM3U');
  if (lines.pop() !== '') faults.push('does not end with a line feed');
  return lines.slice(1).flatMap((line) => {
    if (line === '' || /\s$/.test(line)) faults.push('an empty line, or one that ends with a space');
    if (!line.startsWith('#')) return [{ tag: '', value: line }];
    const colon = line.indexOf(':');
    return [colon < 0 ? { tag: line, value: '' } : { tag: line.slice(0, colon), value: line.slice(colon + 1) }];
  });
}

/** A media playlist, line by line. */
export function readMediaPlaylist(text: string): ReadPlaylist {
  const faults: string[] = [];
  const header = new Map<string, string>();
  const segments: ReadSegment[] = [];
  const hints: Attributes[] = [];
  const reports: Attributes[] = [];
  let control: Attributes = new Map();
  let mapUri: string | undefined;
  let open = emptySegment();
  let hasBegun = false;
  let isOver = false;
  const sequenceOf = () =>
    Number(header.get('#EXT-X-MEDIA-SEQUENCE') ?? 0) + skippedIn(header, faults) + segments.length;
  const finish = (uri: string) => {
    const { parts, isDiscontinuity, isGap, dateMs, seconds } = open;
    segments.push({ sequence: sequenceOf(), uri, seconds, dateMs, isDiscontinuity, isGap, mapUri, parts });
    open = emptySegment();
  };
  for (const { tag, value } of readLines(text, faults)) {
    if (isOver && !ofEnd.has(tag)) faults.push(`${tag} after the end`);
    if (once.has(tag)) {
      if (header.has(tag)) faults.push(`${tag} stands twice`);
      if (hasBegun && tag !== '#EXT-X-ENDLIST') faults.push(`${tag} stands after the first segment`);
      header.set(tag, value);
      if (tag === '#EXT-X-SERVER-CONTROL') control = readAttributes(value, faults);
      continue;
    }
    if (ofEnd.has(tag)) isOver = true;
    else hasBegun = true;
    if (tag === '') {
      if (open.seconds === undefined) faults.push(`${value} has no duration`);
      finish(value);
    } else if (tag === '#EXTINF') {
      if (open.seconds !== undefined) faults.push('two durations for one segment');
      if (!/^\d+\.\d{3},$/.test(value)) faults.push(`a duration is written as ${value}`);
      open.seconds = Number.parseFloat(value);
    } else if (tag === '#EXT-X-DISCONTINUITY') {
      if (open.isDiscontinuity || open.parts.length > 0) faults.push('a discontinuity within a segment');
      open.isDiscontinuity = true;
    } else if (tag === '#EXT-X-GAP') {
      if (open.isGap) faults.push('two gaps for one segment');
      open.isGap = true;
    } else if (tag === '#EXT-X-PROGRAM-DATE-TIME') {
      if (open.dateMs !== undefined) faults.push('two dates for one segment');
      if (!dateForm.test(value)) faults.push(`a date is written as ${value}`);
      open.dateMs = Date.parse(value);
    } else if (tag === '#EXT-X-MAP') {
      mapUri = readAttributes(value, faults).get('URI');
      if (mapUri === undefined) faults.push('a map without an address');
    } else if (tag === '#EXT-X-PART') open.parts.push(readPart(value, faults));
    else if (tag === '#EXT-X-PRELOAD-HINT') hints.push(readAttributes(value, faults));
    else if (tag === '#EXT-X-RENDITION-REPORT') reports.push(readAttributes(value, faults));
    else faults.push(`${tag} is no tag of a media playlist`);
  }
  if (open.seconds !== undefined) faults.push('a duration without an address');
  if (open.parts.length > 0) finish('');
  else if (open.isDiscontinuity || open.dateMs !== undefined) faults.push('tags of a segment that is not there');
  return { faults, header, control, skipped: skippedIn(header, []), segments, hints, reports };
}

function skippedIn(header: ReadonlyMap<string, string>, faults: string[]): number {
  const value = header.get('#EXT-X-SKIP');
  return value === undefined ? 0 : Number(readAttributes(value, faults).get('SKIPPED-SEGMENTS') ?? Number.NaN);
}

function readPart(value: string, faults: string[]): ReadPart {
  const attributes = readAttributes(value, faults);
  const uri = attributes.get('URI') ?? '';
  const seconds = Number(attributes.get('DURATION') ?? Number.NaN);
  if (uri === '' || !(seconds > 0)) faults.push(`a part lacks its address or duration: ${value}`);
  const [isIndependent, isGap] = ['INDEPENDENT', 'GAP'].map((name) => attributes.get(name) === 'YES');
  return { uri, seconds, isIndependent: isIndependent === true, isGap: isGap === true };
}

function emptySegment() {
  const parts: ReadPart[] = [];
  const unknown: { seconds: number | undefined; dateMs: number | undefined } = {
    seconds: undefined,
    dateMs: undefined,
  };
  return { ...unknown, parts, isDiscontinuity: false, isGap: false };
}
