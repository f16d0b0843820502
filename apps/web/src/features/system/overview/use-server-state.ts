import { useQuery } from '@tanstack/react-query';
import type { Alert, Status } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import type { Tone } from '../../../components/ui/feedback/status-label.tsx';
import { isSignInEnded, isStoreUnavailable } from '../../../lib/api.ts';
import { statusQuery } from '../../../lib/queries/system-queries.ts';
import { useEngineLacks } from '../../../lib/queries/use-engine-lacks.ts';
import { type ServerIssues, useServerIssues } from './use-server-issues.ts';
import { serverVerdict } from './verdict.ts';

export interface ServerState {
  readonly status: Status | undefined;
  readonly tone: Tone;
  readonly word: string;
  readonly text: string;
  readonly issues: ServerIssues;
}

/** State of the server, the same on every screen. Outdated facts are never shown as current. */
export function useServerState(): ServerState {
  const { t } = useTranslation();
  const isSeparate = useEngineLacks('process');
  const issues = useServerIssues();
  const { data: status, error, failureCount, failureReason, dataUpdatedAt } = useQuery(statusQuery);
  if (isSignInEnded(error)) {
    return { status, issues, tone: 'bad', word: t('shell.signInEnded'), text: t('overview.signInEndedText') };
  }
  if (failureCount > 0 && isStoreUnavailable(failureReason)) {
    if (failureReason.why?.kind === 'no-leader')
      return { status, issues, tone: 'warn', word: t('overview.takingOver'), text: t('overview.takingOverText') };
    const away = status && withoutStore(status, dataUpdatedAt);
    return { status: away, issues, tone: 'bad', word: t('overview.failing'), text: t('overview.storeDownText') };
  }
  if (failureCount > 0) {
    return { status, issues, tone: 'warn', word: t('overview.notAnswering'), text: t('overview.staleText') };
  }
  if (!status) return { status, issues, tone: 'busy', word: t('shell.connecting'), text: '' };
  const verdict = serverVerdict(status, issues.alarms, isSeparate);
  return { status, issues, tone: verdict.tone, word: t(verdict.word), text: t(verdict.text) };
}

/** Last known status, with the store marked as unavailable. */
function withoutStore(status: Status, heardAtMs: number): Status {
  const away: Alert = {
    kind: 'store',
    severity: 'bad',
    since: new Date(heardAtMs).toISOString(),
    count: 1,
    subject: '',
    label: '',
    cause: 'away',
    place: { page: 'scenario', tab: 'overview', child: '' },
  };
  const others = status.alerts.filter(({ kind }) => kind !== 'store');
  return { ...status, health: { ...status.health, store: { ok: false } }, alerts: [away, ...others] };
}
