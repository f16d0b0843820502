import type { TranscriptHit } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../components/ui/facts/moment.tsx';
import { formatPosition } from '../../../lib/format.ts';
import { IconMicrophone, IconTextRecognition } from '../icons.ts';
import { splitHitText } from './hit-text.ts';
import classes from './search.module.css';

const kindIcons = { speech: IconMicrophone, picture: IconTextRecognition } as const;

interface WordHitRowProps {
  hit: TranscriptHit;
  /** Undefined where there is nothing to play. */
  onOpen: ((second: number) => void) | undefined;
}

/** One place: when, what was said or shown there, and which of the two. Plays it. */
export function TranscriptHitRow({ hit, onOpen }: WordHitRowProps) {
  const { t } = useTranslation();
  const KindIcon = kindIcons[hit.kind];
  const { second } = hit;
  const inside = (
    <>
      <span className={classes.time}>
        {onOpen && second !== null ? formatPosition(second) : <Moment at={hit.date} />}
      </span>
      <span className={classes.words} lang={hit.language || undefined} dir="auto">
        {splitHitText(hit).map((piece, at) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never change places
          piece.isMarked ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>,
        )}
      </span>
      <span className={classes.kind}>
        <KindIcon size={14} aria-hidden />
        {t(`record.words.kind.${hit.kind}`)}
      </span>
    </>
  );
  if (!onOpen || second === null) return <div className={classes.hit}>{inside}</div>;
  return (
    <button type="button" className={classes.hit} data-hit onClick={() => onOpen(second)}>
      {inside}
    </button>
  );
}
