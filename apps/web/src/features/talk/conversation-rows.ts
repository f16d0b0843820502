import { formatDateTime } from '../../lib/format.ts';
import { joinTexts } from './session/join-texts.ts';
import type { TalkProblem } from './session/talk-problem.ts';
import type { Entry, OutgoingUtterance, TalkState } from './session/talk-state.ts';

/** Messages of one person or of the assistant in one round. An answer of the assistant arrives in pieces. */
export interface Turn {
  readonly kind: 'turn';
  readonly key: string;
  readonly rid: string;
  readonly isMine: boolean;
  readonly isAssistant: boolean;
  /** Empty if unknown. */
  readonly name: string;
  readonly at: string;
  readonly pieces: { readonly mid: string; readonly text: string; readonly asid: string }[];
  problem: TalkProblem | undefined;
}

export type Row =
  | Turn
  | (Entry & { readonly kind: 'note' })
  | { readonly kind: 'waiting'; readonly utterance: OutgoingUtterance };

type Said = Pick<TalkState, 'entries' | 'outbox' | 'mine' | 'problems'>;

/** Groups the entries by speaker and round: pieces of one answer become one text. */
export function conversationRows({ entries, outbox, mine, problems }: Said): Row[] {
  const rows: Row[] = [];
  const turns = new Map<string, Turn>();
  const lastOfRound = new Map<string, Turn>();
  for (const entry of entries) {
    if (entry.kind === 'note') {
      rows.push(entry);
      continue;
    }
    const { mid, rid, role, username: name, at, msg: text, asid, hasAudio } = entry.message;
    const key = `${rid} ${role} ${name}`;
    const piece = { mid, text, asid: hasAudio ? asid : '' };
    const known = turns.get(key);
    if (known) known.pieces.push(piece);
    else {
      const isAssistant = role === 'assistant';
      const isMine = !isAssistant && mine.includes(rid);
      const turn: Turn = { kind: 'turn', key, rid, isMine, isAssistant, name, at, pieces: [piece], problem: undefined };
      turns.set(key, turn);
      rows.push(turn);
      lastOfRound.set(rid, turn);
    }
  }
  for (const [rid, turn] of lastOfRound) turn.problem = problems[rid];
  return [...rows, ...outbox.map((utterance) => ({ kind: 'waiting', utterance }) as const)];
}

export function turnText({ pieces }: Turn): string {
  return pieces.reduce((whole, { text }) => joinTexts(whole, text), '');
}

interface Names {
  readonly nameOf: (turn: Turn) => string;
  readonly you: string;
}

export function conversationText(rows: readonly Row[], { nameOf, you }: Names): string {
  const lines = rows.flatMap((row) => {
    if (row.kind === 'note') return [];
    if (row.kind === 'turn') return [line(row.at, nameOf(row), turnText(row))];
    return row.utterance.text === '' ? [] : [line(row.utterance.at, you, row.utterance.text)];
  });
  return lines.map((text) => `${text}\n`).join('');
}

function line(at: string, name: string, text: string): string {
  return `[${formatDateTime(new Date(at))}] ${name}: ${text}`;
}

export function saveText(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Browsers read the blob only after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
