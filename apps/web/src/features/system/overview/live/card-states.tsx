import type { ActiveStream, ProcessState, StreamGlance } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { StatusLabel, type Tone } from '../../../../components/ui/feedback/status-label.tsx';
import { formatDateTime, formatDuration } from '../../../../lib/format.ts';
import { useLocale } from '../../../../lib/i18n.ts';
import classes from './stream-card.module.css';

const failing: readonly ProcessState[] = ['failing', 'reconnecting'];

/** How long it has been on air, and what is made of it. */
export function CardStates({ stream, glance }: { stream: ActiveStream; glance: StreamGlance | undefined }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const seconds = (Date.now() - Date.parse(stream.update)) / 1000;
  return (
    <div className={classes.states}>
      <time dateTime={stream.update} title={formatDateTime(new Date(stream.update))}>
        {formatDuration(seconds, locale)}
      </time>
      {glance?.isRecording && <StatusLabel tone="recording" word={t('overview.recording')} />}
      {glance && glance.targets.length > 0 && <Targets targets={glance.targets} />}
    </div>
  );
}

function Targets({ targets }: { targets: StreamGlance['targets'] }) {
  const { t } = useTranslation();
  const live = targets.filter(({ state }) => state === 'live').length;
  const isFailing = targets.some(({ state }) => failing.includes(state));
  const tone: Tone = isFailing ? 'bad' : live === targets.length ? 'ok' : 'busy';
  const word =
    live === targets.length
      ? t('overview.targets', { count: live })
      : t('overview.targetsOf', { live, count: targets.length });
  return <StatusLabel tone={tone} word={word} />;
}
