import type { ProcessNumbers } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { FigureGrid } from '../figures/figure-grid.tsx';
import { formatBitrate, formatNumber } from '../figures/format-figures.ts';
import { slowSpeed } from './process-reason.tsx';
import classes from './processes.module.css';

function useFigures({ fps, kbps, speed, mediaMs, droppedFrames }: ProcessNumbers) {
  const { t } = useTranslation();
  const locale = useLocale();
  return {
    fps: fps === null ? undefined : t('process.numbers.fpsValue', { value: formatNumber(fps, locale, 1) }),
    kbps: formatBitrate(kbps ?? undefined, locale),
    speed: speed === null ? undefined : t('process.numbers.speedValue', { value: formatNumber(speed, locale, 2) }),
    media: formatDuration(mediaMs / 1000, locale),
    dropped: droppedFrames === 0 ? t('process.numbers.none') : formatNumber(droppedFrames, locale),
  };
}

/** One line for table rows; a dash while nothing runs. */
export function ProcessNumbersText({ numbers }: { numbers: ProcessNumbers | null }) {
  return numbers ? <Line numbers={numbers} /> : <span>–</span>;
}

function Line({ numbers }: { numbers: ProcessNumbers }) {
  const { t } = useTranslation();
  const { fps, kbps, speed } = useFigures(numbers);
  const isSlow = (numbers.speed ?? 1) < slowSpeed;
  const dropped = numbers.droppedFrames > 0 && t('process.dropped', { count: numbers.droppedFrames });
  const parts = [kbps, numbers.fps ? fps : undefined, isSlow ? speed : undefined, dropped].filter(Boolean);
  return <span className={classes.line}>{parts.join(' · ')}</span>;
}

export function ProcessFigures({ title, numbers, starts }: { title: string; numbers: ProcessNumbers; starts: number }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { fps, kbps, speed, media, dropped } = useFigures(numbers);
  return (
    <FigureGrid
      label={t('process.numbers.label', { title })}
      figures={[
        [t('process.numbers.kbps'), kbps],
        [t('process.numbers.fps'), fps],
        [t('process.numbers.speed'), speed],
        [t('process.numbers.dropped'), dropped],
        [t('process.numbers.media'), media],
        [t('process.numbers.starts'), formatNumber(starts, locale)],
      ]}
    />
  );
}
