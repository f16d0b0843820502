import type { Issue, IssueId, Status } from '@weir/contract';
import type { ParseKeys } from 'i18next';
import type { Tone } from '../../../components/ui/feedback/status-label.tsx';

interface Verdict {
  readonly tone: Tone;
  readonly word: ParseKeys;
  readonly text: ParseKeys;
}

/** Overall verdict: the worst problem decides. Problems listed among the alerts are not repeated. */
export function serverVerdict(
  { health, alerts }: Pick<Status, 'health' | 'alerts'>,
  issues: readonly Issue[],
  isEngineSeparate = false,
): Verdict {
  const unlessTold = (id: IssueId, text: ParseKeys): ParseKeys =>
    issues.some((issue) => issue.id === id) ? 'overview.alertsText' : text;
  if (!health.engine.ok) {
    const text = isEngineSeparate ? 'overview.mediaServerDownText' : 'overview.engineDownText';
    return { tone: 'bad', word: 'overview.failing', text: unlessTold('engine-away', text) };
  }
  if (!health.store.ok) return { tone: 'bad', word: 'overview.failing', text: 'overview.storeDownText' };
  const wrong = [...alerts, ...issues];
  if (!health.disk.ok && wrong.length === 0)
    return { tone: 'warn', word: 'overview.attention', text: 'overview.diskLowText' };
  if (wrong.length > 0) {
    const tone = wrong.some(({ severity }) => severity === 'bad') ? 'bad' : 'warn';
    return { tone, word: 'overview.attention', text: 'overview.alertsText' };
  }
  return { tone: 'ok', word: 'overview.running', text: 'overview.runningText' };
}
