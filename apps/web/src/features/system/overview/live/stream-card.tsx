import type { ActiveStream, StreamGlance } from '@weir/contract';
import { streamLabel } from '@weir/dialect';
import { memo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Sparkline } from '../../../../components/charts/sparkline.tsx';
import { VerdictLabel } from '../../../../components/diagnosis/verdict-label.tsx';
import { bitrateText, plainNumber } from '../../../../components/figures/figures.ts';
import { StreamLink } from '../../../../components/streams/stream-link.tsx';
import { useLocale } from '../../../../lib/i18n.ts';
import { CardStates } from './card-states.tsx';
import classes from './stream-card.module.css';
import { StreamThumbnail } from './stream-thumbnail.tsx';
import { useIsNear } from './use-is-near.ts';

interface StreamCardProps {
  stream: ActiveStream;
  glance: StreamGlance | undefined;
}

/** A live stream at a glance. The whole card leads to its page; far out of view only its name is there, for those who search the page. */
export const StreamCard = memo(function StreamCard({ stream, glance }: StreamCardProps) {
  const card = useRef<HTMLLIElement>(null);
  const isNear = useIsNear(card);
  return (
    <li ref={card} className={classes.card}>
      <div className={classes.picture}>
        {isNear && <StreamThumbnail stream={stream} />}
        {isNear && glance && <WorstIssue glance={glance} />}
      </div>
      <div className={classes.text}>
        <div className={classes.head}>
          <StreamLink stream={stream} className={classes.name}>
            <span title={streamLabel(stream)}>{streamLabel(stream)}</span>
          </StreamLink>
          {isNear && glance && glance.diagnosis.verdict !== 'none' && (
            <VerdictLabel verdict={glance.diagnosis.verdict} />
          )}
        </div>
        {isNear && <CardFigures stream={stream} glance={glance} />}
        {isNear && <CardStates stream={stream} glance={glance} />}
      </div>
    </li>
  );
});

function CardFigures({ stream: { media }, glance }: StreamCardProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const bitrate = bitrateText(media?.kbps, locale);
  return (
    <div className={classes.figures}>
      <span>
        {media && t('overview.viewers', { count: media.viewers, number: plainNumber(media.viewers, locale) })}
      </span>
      <span className={classes.bitrate}>{bitrate}</span>
      <span className={classes.spark}>
        {glance && <Sparkline values={glance.line} label={t('overview.bitrateLine', { bitrate: bitrate ?? '–' })} />}
      </span>
    </div>
  );
}

/** Over the picture, where it shifts nothing. What to do about it is told below the cards, and on the page of the stream. */
function WorstIssue({ glance: { diagnosis } }: { glance: StreamGlance }) {
  const { t } = useTranslation();
  const [worst] = diagnosis.issues;
  if (!worst) return null;
  const more = diagnosis.issues.length - 1;
  return (
    <span className={classes.issue} data-tone={worst.severity}>
      {t(`diagnose.issue.${worst.id}.title` as 'diagnose.issue.stalled.title')}
      {more > 0 && ` +${more}`}
    </span>
  );
}
