import { faultsOfMedia, integerOf, lengthOf, partTargetOf, targetOf } from './media-rules.fixture.ts';
import { type ReadPlaylist, type ReadSegment, readMediaPlaylist } from './read-playlist.fixture.ts';

/**
 * Checks the media playlists of one stream, in the order in which a player reads them: each by itself, and against what the ones before
 * said (RFC 8216 and draft-pantos-hls-rfc8216bis). Says what is wrong in sentences; nothing when all is well.
 */
export class PlaylistChecker {
  #last: ReadPlaylist | undefined;
  /** All segments seen so far, by number. */
  readonly #known = new Map<number, ReadSegment>();
  /** Number of discontinuities before the oldest known segment. */
  #first: { readonly sequence: number; readonly discontinuities: number } | undefined;

  check(text: string): string[] {
    const playlist = readMediaPlaylist(text);
    const faults = faultsOfMedia(playlist);
    if (this.#last) faults.push(...this.#against(this.#last, playlist));
    else if (playlist.skipped > 0) faults.push('the first playlist skips segments');
    for (const segment of playlist.segments) faults.push(...this.#checkKnown(segment, playlist));
    this.#first ??= {
      sequence: integerOf(playlist, '#EXT-X-MEDIA-SEQUENCE'),
      discontinuities: integerOf(playlist, '#EXT-X-DISCONTINUITY-SEQUENCE'),
    };
    faults.push(...this.#checkCounters(playlist));
    this.#last = playlist;
    return faults;
  }

  #against(last: ReadPlaylist, next: ReadPlaylist): string[] {
    const faults: string[] = [];
    for (const name of ['#EXT-X-TARGETDURATION', '#EXT-X-VERSION'])
      if (last.header.get(name) !== next.header.get(name))
        faults.push(`${name} was ${last.header.get(name)} and is ${next.header.get(name)}`);
    if ((partTargetOf(next) ?? 0) < (partTargetOf(last) ?? 0)) faults.push('the part target shrank');
    for (const name of ['PART-HOLD-BACK', 'HOLD-BACK'])
      if (Number(next.control.get(name) ?? 0) < Number(last.control.get(name) ?? 0)) faults.push(`${name} shrank`);
    const [before, now] = [integerOf(last, '#EXT-X-MEDIA-SEQUENCE'), integerOf(next, '#EXT-X-MEDIA-SEQUENCE')];
    if (now < before) faults.push(`the media sequence went back from ${before} to ${now}`);
    const [newest, newestNow] = [last.segments.at(-1), next.segments.at(-1)];
    if ((newestNow?.sequence ?? 0) < (newest?.sequence ?? 0)) faults.push('the newest segment is gone');
    if (now > (newest?.sequence ?? now) + 1) faults.push(`segments ${newest?.sequence} to ${now} were never named`);
    if (now > before && this.#secondsIn(next) < 3 * targetOf(next))
      faults.push('a segment was removed and less than three target durations are left');
    const hinted = last.hints[0]?.get('URI');
    const appeared = firstNewPart(last, next);
    if (hinted !== undefined && appeared !== undefined && appeared !== hinted)
      faults.push(`${hinted} was hinted at and ${appeared} came`);
    return faults;
  }

  /** With what a delta update leaves out. */
  #secondsIn({ segments, skipped }: ReadPlaylist): number {
    let sum = segments.reduce((all, segment) => all + lengthOf(segment), 0);
    const firstListed = segments[0]?.sequence ?? 0;
    for (let sequence = firstListed - skipped; sequence < firstListed; sequence++)
      sum += this.#known.get(sequence)?.seconds ?? 0;
    return sum;
  }

  #checkKnown(segment: ReadSegment, playlist: ReadPlaylist): string[] {
    const { sequence, parts, seconds, uri } = segment;
    const known = this.#known.get(sequence);
    const mapUri = segment.mapUri ?? (playlist.skipped > 0 ? known?.mapUri : undefined);
    this.#known.set(sequence, { ...segment, mapUri, parts: parts.length > 0 ? parts : (known?.parts ?? []) });
    if (!known) return [];
    const faults: string[] = [];
    if (known.seconds !== undefined && known.seconds !== seconds) faults.push(`${sequence} changed its duration`);
    if (known.uri !== '' && known.uri !== uri) faults.push(`${sequence} changed its address`);
    if (known.dateMs !== segment.dateMs) faults.push(`${sequence} changed its date`);
    if (known.isDiscontinuity !== segment.isDiscontinuity) faults.push(`${sequence} changed its discontinuity`);
    if (known.mapUri !== mapUri) faults.push(`${sequence} changed its map`);
    const isSame = known.parts.every(
      (part, index) => part.uri === parts[index]?.uri && part.seconds === parts[index]?.seconds,
    );
    if (parts.length > 0 && !isSame) faults.push(`${sequence} changed its parts`);
    return faults;
  }

  /** Discontinuities that have left the playlist are counted (RFC 8216, 4.3.3.3). */
  #checkCounters(playlist: ReadPlaylist): string[] {
    if (!this.#first) return [];
    let expected = this.#first.discontinuities;
    const now = integerOf(playlist, '#EXT-X-MEDIA-SEQUENCE');
    for (let sequence = this.#first.sequence; sequence < now; sequence++)
      if (this.#known.get(sequence)?.isDiscontinuity) expected++;
    const found = integerOf(playlist, '#EXT-X-DISCONTINUITY-SEQUENCE');
    return found === expected ? [] : [`the discontinuity sequence is ${found} and should be ${expected}`];
  }
}

/** The part that follows the newest of the playlist before, where there is one. */
function firstNewPart(last: ReadPlaylist, next: ReadPlaylist): string | undefined {
  const newest = last.segments.at(-1);
  if (!newest) return undefined;
  const same = next.segments.find(({ sequence }) => sequence === newest.sequence);
  const inSame = newest.seconds === undefined ? same?.parts[newest.parts.length] : undefined;
  return (inSame ?? next.segments.find(({ sequence }) => sequence === newest.sequence + 1)?.parts[0])?.uri;
}
