import type { DubbingGroup } from '@weir/contract';
import { sourceText } from './group-status.ts';

export type TextField = 'text' | 'translated';
export type BorderField = 'start' | 'end';
/** Editable fields of a group. Borders are edited as text: seconds with three decimals. */
export type EditField = TextField | BorderField;

export const editFields = ['text', 'translated', 'start', 'end'] as const satisfies readonly EditField[];

/** Key of the draft of one field. */
export const draftKey = (group: string, field: EditField) => `${group}/${field}`;

export function fieldText(group: DubbingGroup, field: EditField): string {
  if (isBorder(field)) return formatBorder(group[field]);
  return field === 'text' ? sourceText(group) : group.translated;
}

export function isBorder(field: EditField): field is BorderField {
  return field === 'start' || field === 'end';
}

export function formatBorder(seconds: number): string {
  return seconds.toFixed(3);
}

/** Normalizes as the server does before it stores a text. */
export function normalizeText(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
