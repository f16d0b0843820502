import type { TFunction } from 'i18next';
import type { TalkProblem } from './session/talk-problem.ts';

/** Why something did not work, in the reader's language; what the page does not know stays in the server's words. */
export function problemText(t: TFunction, { kind, id, message }: TalkProblem): string {
  if (kind === 'other') return t('talk.problem.other', { message });
  return id === '' ? t(`talk.problem.${kind}`) : `${t(`talk.problem.${kind}`)} ${t('talk.problemId', { id })}`;
}
