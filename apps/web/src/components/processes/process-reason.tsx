import { Text } from '@mantine/core';
import type { ProcessReport } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { formatClock, formatDuration, joinSentences } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { Notice } from '../ui/feedback/notice.tsx';
import { LastExit } from './last-exit.tsx';
import classes from './processes.module.css';
import { useNow } from './use-now.ts';

/** Below this speed an encoder falls behind for good. */
export const slowSpeed = 0.98;

/** Problem, remedy and next retry; nothing while the process is healthy. */
export function ProcessReason({ report }: { report: ProcessReport }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { state, failure, numbers, since, lastExit } = report;
  const next = useNextTry(report);
  if (state === 'live') {
    const isSlow = (numbers?.speed ?? 1) < slowSpeed && (numbers?.mediaMs ?? 0) > settleMs;
    return (
      <>
        {isSlow && (
          <Notice tone="warn" title={t('process.slow', { speed: percent(numbers?.speed ?? 0) })}>
            <p>{t('process.slowText')}</p>
          </Notice>
        )}
        {failure && (
          <Text size="sm" c="dimmed">
            {t('process.recovered', {
              time: clock(since),
              at: clock(failure.at),
              why: t(`process.why.${failure.cause}`),
            })}
          </Text>
        )}
      </>
    );
  }
  if (!failure) return null;
  return (
    <Notice tone={state === 'failing' ? 'bad' : 'warn'} title={t(`process.why.${failure.cause}`)}>
      <p>{joinSentences([t(`process.remedy.${failure.cause}`), next], locale)}</p>
      {failure.detail !== '' && <code className={classes.detail}>{failure.detail}</code>}
      {lastExit && !lastExit.wanted && (
        <Text size="sm" c="dimmed">
          {t('process.exit.label')}: <LastExit exit={lastExit} />
        </Text>
      )}
    </Notice>
  );
}

/** A stream joined midway delivers several seconds at once, so the speed needs time to settle. */
const settleMs = 30_000;

export function useNextTry({ nextTry, state }: ProcessReport): string {
  const { t } = useTranslation();
  const locale = useLocale();
  const now = useNow(nextTry !== '');
  if (nextTry === '') return state === 'reconnecting' || state === 'failing' ? t('process.tryingNow') : '';
  const seconds = Math.ceil((Date.parse(nextTry) - now) / 1000);
  return seconds > 0 ? t('process.nextTry', { duration: formatDuration(seconds, locale) }) : t('process.tryingNow');
}

function clock(at: string): string {
  return formatClock(new Date(at));
}

function percent(speed: number): string {
  return `${Math.round(speed * 100)} %`;
}
