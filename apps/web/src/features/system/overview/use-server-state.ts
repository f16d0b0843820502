import { useQuery } from '@tanstack/react-query';
import type { Status } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import type { Tone } from '../../../components/ui/feedback/status-label.tsx';
import { isSignInEnded } from '../../../lib/api.ts';
import { statusQuery } from '../../../lib/queries/system-queries.ts';
import { verdictOf } from './verdict.ts';

export interface ServerState {
  readonly status: Status | undefined;
  readonly tone: Tone;
  readonly word: string;
  /** What it means, and what to do. */
  readonly text: string;
}

/** The one word for the server, the same on every screen. Old facts are never called current. */
export function useServerState(): ServerState {
  const { t } = useTranslation();
  const { data: status, error, failureCount } = useQuery(statusQuery);
  if (isSignInEnded(error)) {
    return { status, tone: 'bad', word: t('shell.signInEnded'), text: t('overview.signInEndedText') };
  }
  if (failureCount > 0) {
    return { status, tone: 'warn', word: t('overview.notAnswering'), text: t('overview.staleText') };
  }
  if (!status) return { status, tone: 'busy', word: t('shell.connecting'), text: '' };
  const verdict = verdictOf(status);
  return { status, tone: verdict.tone, word: t(verdict.word), text: t(verdict.text) };
}
