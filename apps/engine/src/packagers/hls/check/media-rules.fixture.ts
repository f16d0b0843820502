import type { ReadPlaylist, ReadSegment } from './read-playlist.fixture.ts';

/** Durations are written in milliseconds, and so may be the sum of many. */
const roundingSeconds = 0.012;
/** Dates follow the clock of this machine, durations that of the publisher. */
const dateTolerance = 0.05;
const dateToleranceMs = 350;

export const integerOf = ({ header }: ReadPlaylist, name: string): number =>
  /^\d+$/.test(header.get(name) ?? '') ? Number(header.get(name)) : Number.NaN;

export const targetOf = (playlist: ReadPlaylist): number => integerOf(playlist, '#EXT-X-TARGETDURATION');

export const partTargetOf = ({ header }: ReadPlaylist): number | undefined => {
  const [, value] = /^PART-TARGET=(\d+\.\d+)$/.exec(header.get('#EXT-X-PART-INF') ?? '') ?? [];
  return value === undefined ? undefined : Number(value);
};

/** Duration so far, for a segment whose parts are appearing. */
export const lengthOf = ({ seconds, parts }: ReadSegment): number =>
  seconds ?? parts.reduce((sum, part) => sum + part.seconds, 0);

/** Faults of a single media playlist. */
export function faultsOfMedia(playlist: ReadPlaylist): string[] {
  return [
    ...playlist.faults,
    ...headerFaults(playlist),
    ...segmentFaults(playlist),
    ...partFaults(playlist),
    ...controlFaults(playlist),
    ...endFaults(playlist),
  ];
}

function headerFaults(playlist: ReadPlaylist): string[] {
  const { header, segments } = playlist;
  const faults: string[] = [];
  const version = integerOf(playlist, '#EXT-X-VERSION');
  const hasGap = segments.some(({ isGap, parts }) => isGap || parts.some((part) => part.isGap));
  const least = header.has('#EXT-X-SKIP')
    ? 9
    : hasGap
      ? 8
      : segments.some(({ mapUri }) => mapUri !== undefined)
        ? 6
        : 3;
  if (!(version >= least)) faults.push(`version ${version} does not have all that is used, ${least} does`);
  if (!(targetOf(playlist) > 0)) faults.push('no target duration');
  for (const name of ['#EXT-X-MEDIA-SEQUENCE', '#EXT-X-DISCONTINUITY-SEQUENCE'])
    if (!(integerOf(playlist, name) >= 0)) faults.push(`${name} is missing or no number`);
  return faults;
}

function segmentFaults(playlist: ReadPlaylist): string[] {
  const { segments, skipped } = playlist;
  const target = targetOf(playlist);
  const faults: string[] = [];
  if (!segments.some(({ seconds }) => seconds !== undefined)) faults.push('no whole segment');
  for (const [index, segment] of segments.entries()) {
    const { sequence, uri, dateMs, mapUri } = segment;
    const length = lengthOf(segment);
    if (!(length > 0) || Math.round(length) > target) faults.push(`${sequence} lasts ${length} s of ${target}`);
    if (dateMs === undefined || Number.isNaN(dateMs)) faults.push(`${sequence} has no date`);
    if (/\.m4s$/.test(uri) && mapUri === undefined && skipped === 0) faults.push(`${sequence} has no map`);
    const next = segments[index + 1];
    if (!next) continue;
    // In parts only the parameters of a decoder may differ: hls.js stalls at a discontinuity.
    if (next.mapUri !== mapUri && mapUri !== undefined && !next.isDiscontinuity && partTargetOf(playlist) === undefined)
      faults.push(`${next.sequence} has another map and no discontinuity`);
    const stepMs = (next.dateMs ?? 0) - (dateMs ?? 0);
    const isOff = Math.abs(stepMs - 1000 * length) > Math.max(dateToleranceMs, dateTolerance * 1000 * length);
    if (!next.isDiscontinuity && isOff) faults.push(`${next.sequence} is dated ${stepMs} ms after ${length} s`);
    if (stepMs < 0) faults.push(`${next.sequence} is dated before ${sequence}`);
  }
  const addresses = segments.flatMap(({ uri, parts }) => [
    ...(uri === '' ? [] : [uri]),
    ...parts.map((part) => part.uri),
  ]);
  if (new Set(addresses).size < addresses.length) faults.push('an address stands twice');
  return faults;
}

function partFaults(playlist: ReadPlaylist): string[] {
  const { segments, header } = playlist;
  const target = partTargetOf(playlist);
  const isIndependent = header.has('#EXT-X-INDEPENDENT-SEGMENTS');
  const faults: string[] = [];
  let fromEnd = 0;
  for (const segment of segments.toReversed()) {
    const { sequence, parts, seconds } = segment;
    // Parts of what is less than three target durations from the end are to be named (rfc8216bis, 4.4.4.9).
    if (target !== undefined && parts.length === 0 && fromEnd < 3 * targetOf(playlist))
      faults.push(`${sequence} is near the end and has no parts`);
    fromEnd += lengthOf(segment);
    if (parts.length === 0) continue;
    if (target === undefined) faults.push(`${sequence} has parts without a part target`);
    const sum = parts.reduce((all, part) => all + part.seconds, 0);
    if (seconds !== undefined && segment.isGap !== parts.some((part) => part.isGap))
      faults.push(`${sequence} is a gap where its parts are not, or the other way round`);
    if (seconds !== undefined && Math.abs(sum - seconds) > roundingSeconds)
      faults.push(`${sequence} lasts ${seconds} s and its parts ${sum.toFixed(3)}`);
    if (isIndependent && !parts[0]?.isIndependent && !parts[0]?.isGap)
      faults.push(`${sequence} does not begin independently`);
    for (const [index, part] of parts.entries()) {
      if (part.seconds > (target ?? 0)) faults.push(`part ${sequence}.${index} lasts ${part.seconds} s of ${target}`);
      // Parts other than the last of a segment have a least length (rfc8216bis, 4.4.4.9).
      if (index < parts.length - 1 && part.seconds < 0.85 * (target ?? 0))
        faults.push(`part ${sequence}.${index} lasts only ${part.seconds} s of ${target}`);
    }
  }
  return faults;
}

function controlFaults(playlist: ReadPlaylist): string[] {
  const { control } = playlist;
  const target = targetOf(playlist);
  const partTarget = partTargetOf(playlist);
  const faults: string[] = [];
  const atLeast = (name: string, least: number) => {
    if (control.has(name) && !(Number(control.get(name)) >= least)) faults.push(`${name} is less than ${least}`);
  };
  atLeast('HOLD-BACK', 3 * target);
  atLeast('CAN-SKIP-UNTIL', 6 * target);
  if (partTarget === undefined) return faults;
  // Three are recommended, two are a must (rfc8216bis, 4.4.3.8).
  atLeast('PART-HOLD-BACK', 2 * partTarget);
  if (!control.has('PART-HOLD-BACK')) faults.push('parts without PART-HOLD-BACK');
  if (control.get('CAN-BLOCK-RELOAD') !== 'YES') faults.push('parts without blocking reloads');
  return faults;
}

function endFaults(playlist: ReadPlaylist): string[] {
  const { hints, reports, segments, skipped, control } = playlist;
  const faults: string[] = [];
  const named = new Set(segments.flatMap(({ parts }) => parts.map(({ uri }) => uri)));
  if (hints.length > 1) faults.push('more than one hint');
  if (partTargetOf(playlist) !== undefined && hints.length === 0) faults.push('no hint at the next part');
  for (const hint of hints) {
    if (hint.get('TYPE') !== 'PART' || !hint.get('URI')) faults.push('a hint at no part');
    if (named.has(hint.get('URI') ?? '')) faults.push(`${hint.get('URI')} is hinted at and there`);
  }
  for (const report of reports)
    if (!report.get('URI') || !/^\d+$/.test(report.get('LAST-MSN') ?? '')) faults.push('a report that says nothing');
  if (skipped === 0) return faults;
  const listed = segments.reduce((sum, segment) => sum + lengthOf(segment), 0);
  if (!Number.isInteger(skipped)) faults.push('a skip without a number');
  if (!(listed + roundingSeconds >= Number(control.get('CAN-SKIP-UNTIL'))))
    faults.push('segments are skipped that lie within the skip boundary');
  return faults;
}
