import { type Alert, aiFeatures } from '@weir/contract';
import type { LocalAiKeeper } from '../../ai/local/keeper.ts';
import type { AiMeter } from '../../ai/meter/ai-meter.ts';
import { pausedFeatures } from './usage-report.ts';

/** Once or twice is chance; whoever waits is told of each. */
const tooOften = 3;
const place: Alert['place'] = { page: 'settings', tab: 'llm', child: '' };

/** A process that keeps ending, providers that fail for long, and features that pause because they have used what they may. */
export async function llmAlerts(keeper: LocalAiKeeper, meter: AiMeter): Promise<Alert[]> {
  const { failures, lastExit } = keeper.state();
  const dying: Alert[] =
    failures >= tooOften && lastExit
      ? [
          {
            kind: 'local-ai',
            severity: 'bad',
            since: new Date(lastExit.atMs).toISOString(),
            count: failures,
            place,
            subject: '',
            label: '',
            cause: '',
          },
        ]
      : [];
  const paused = await pausedFeatures(meter);
  const { day } = await meter.today();
  const since = `${day}T00:00:00.000Z`;
  const failing = meter.failing.long.map(
    ({ feature: subject, host: label, sinceMs, count, cause }): Alert => ({
      kind: 'ai-provider',
      severity: 'bad',
      since: new Date(sinceMs).toISOString(),
      count,
      place,
      subject,
      label,
      cause,
    }),
  );
  return [
    ...dying,
    ...failing,
    // The test button is nobody's work.
    ...aiFeatures
      .filter((feature) => feature !== 'check' && paused.includes(feature))
      .map(
        (subject): Alert => ({
          kind: 'ai-limit',
          severity: 'warn',
          since,
          count: 1,
          place,
          subject,
          label: '',
          cause: '',
        }),
      ),
  ];
}
