import { formatDateTime } from '../../../lib/format.ts';
import { type Row, type Turn, turnText } from './conversation-rows.ts';

interface Names {
  readonly nameOf: (turn: Turn) => string;
  readonly you: string;
}

/** The whole conversation as plain text, to keep or to pass on. */
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
  // Browsers begin to read it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
