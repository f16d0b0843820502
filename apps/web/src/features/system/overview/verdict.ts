import type { Status } from '@weir/contract';
import type { ParseKeys } from 'i18next';
import type { Tone } from '../../../components/ui/feedback/status-label.tsx';

interface Verdict {
  readonly tone: Tone;
  readonly word: ParseKeys;
  readonly text: ParseKeys;
}

/** One answer to "is everything fine?": the worst thing that is true decides. */
export function verdictOf({ health, alerts }: Pick<Status, 'health' | 'alerts'>, isEngineSeparate = false): Verdict {
  if (!health.engine.ok) {
    const text = isEngineSeparate ? 'overview.mediaServerDownText' : 'overview.engineDownText';
    return { tone: 'bad', word: 'overview.failing', text };
  }
  if (!health.store.ok) return { tone: 'bad', word: 'overview.failing', text: 'overview.storeDownText' };
  if (!health.disk.ok) return { tone: 'warn', word: 'overview.attention', text: 'overview.diskLowText' };
  if (alerts.length > 0) {
    const tone = alerts.some(({ severity }) => severity === 'bad') ? 'bad' : 'warn';
    return { tone, word: 'overview.attention', text: 'overview.alertsText' };
  }
  return { tone: 'ok', word: 'overview.running', text: 'overview.runningText' };
}
