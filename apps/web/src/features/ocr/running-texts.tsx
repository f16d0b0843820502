import { useQuery } from '@tanstack/react-query';
import type { OcrDoneSegment } from '@weir/contract';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { useStickToBottom } from '../../lib/browser/use-stick-to-bottom.ts';
import { formatClock } from '../../lib/format.ts';
import { cleanupQueueQuery } from './ocr-queries.ts';
import classes from './running-texts.module.css';

/** Latest picture that was read, with its text on top. */
export function LastPicture() {
  const { t } = useTranslation();
  const { data } = useQuery(cleanupQueueQuery);
  const last = data?.segments.findLast(({ image }) => image !== '');
  if (!last) return <div className={classes.off}>{t('ocr.running.noPicture')}</div>;
  const { image, ocr } = last;
  return (
    <div className={classes.picture}>
      <img src={image} alt={t('ocr.running.picture')} />
      {ocr !== '' && (
        <p className={classes.text} aria-hidden="true">
          <span>{ocr}</span>
        </p>
      )}
    </div>
  );
}

interface ReadText {
  readonly id: string;
  readonly at: Date;
  readonly text: string;
}

const mostTexts = 500;

/** Adds the texts of new segments. A text that stays in the picture is listed once. */
export function addTexts(
  before: readonly ReadText[],
  segments: readonly Pick<OcrDoneSegment, 'tsid' | 'ocr' | 'outcome'>[],
  now: Date,
): readonly ReadText[] {
  const texts = [...before];
  for (const { tsid, ocr, outcome } of segments) {
    if (outcome !== 'called' || ocr === '') continue;
    if (texts.some(({ id }) => id === tsid) || texts.at(-1)?.text === ocr) continue;
    texts.push({ id: tsid, at: now, text: ocr });
  }
  return texts.length === before.length ? before : texts.slice(-mostTexts);
}

/** Texts in the order in which they were read, since the page was opened. */
export function RunningTexts({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation();
  const query = useQuery(cleanupQueueQuery);
  const segments = query.data?.segments;
  const read = useRef<{ segments: typeof segments; texts: readonly ReadText[] }>({ segments: undefined, texts: [] });
  if (segments && segments !== read.current.segments)
    read.current = { segments, texts: addTexts(read.current.texts, segments, new Date()) };
  const { texts } = read.current;
  const { box, onScroll } = useStickToBottom([texts], undefined);
  return (
    <section className={classes.panel} aria-label={t('ocr.running.title')}>
      <h2 className={classes.title}>{t('ocr.running.title')}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <div ref={box} className={classes.scroller} onScroll={onScroll} tabIndex={0}>
        {texts.length === 0 && <p className={classes.empty}>{t(isOn ? 'ocr.running.empty' : 'ocr.running.off')}</p>}
        <ol className={classes.texts}>
          {texts.map(({ id, at, text }) => (
            <li key={id}>
              <time dateTime={at.toISOString()}>{formatClock(at)}</time>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </div>
      <StaleChip {...query} />
    </section>
  );
}
