import type { TranscriptHit } from '@weir/contract';

interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Texts read from video may be long; only a part around the first match is shown. */
const mostShown = 240;
const shownBefore = 60;

/** Splits the text of a hit into marked and unmarked pieces. */
export function splitHitText({ text, marks }: Pick<TranscriptHit, 'text' | 'marks'>): Piece[] {
  const [from, to] = excerptRange(text, marks[0]?.[0] ?? 0);
  const pieces: Piece[] = [];
  let at = from;
  const addPiece = (end: number, isMarked: boolean) => {
    if (end > at) pieces.push({ text: text.slice(at, end).replace(/\s+/g, ' '), isMarked });
    at = Math.max(at, end);
  };
  if (from > 0) pieces.push({ text: '…', isMarked: false });
  for (const [start, end] of marks) {
    addPiece(Math.min(start, to), false);
    addPiece(Math.min(end, to), true);
  }
  addPiece(to, false);
  if (to < text.length) pieces.push({ text: '…', isMarked: false });
  return pieces;
}

function excerptRange(text: string, mark: number): [number, number] {
  if (text.length <= mostShown) return [0, text.length];
  const wanted = Math.max(0, Math.min(mark - shownBefore, text.length - mostShown));
  const space = text.indexOf(' ', wanted);
  const from = wanted === 0 ? 0 : space >= 0 && space < mark ? space + 1 : alignToCharacter(text, wanted);
  return [from, alignToCharacter(text, Math.min(text.length, from + mostShown))];
}

/** Moves out of the middle of a surrogate pair. */
function alignToCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}

export interface HitGroup {
  readonly key: number;
  readonly recording: string | null;
  readonly hits: readonly TranscriptHit[];
}

/** Groups consecutive hits of one recording, or of one stream without a recording. */
export function groupHits(hits: readonly TranscriptHit[]): HitGroup[] {
  const groups: { key: number; recording: string | null; hits: TranscriptHit[] }[] = [];
  for (const hit of hits) {
    const last = groups.at(-1);
    if (last && groupKey(last.hits[0] ?? hit) === groupKey(hit)) last.hits.push(hit);
    else groups.push({ key: hit.id, recording: hit.recording, hits: [hit] });
  }
  return groups;
}

function groupKey({ recording, vhost, app, stream }: TranscriptHit): string {
  return recording ?? JSON.stringify([vhost, app, stream]);
}
