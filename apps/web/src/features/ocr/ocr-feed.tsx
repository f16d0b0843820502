import { useQuery } from '@tanstack/react-query';
import { streamLabel, type WirePlace } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { FeedRow } from '../../components/streams/feed-row.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { paths } from '../../lib/paths.ts';
import { ocrQuery, ocrStateQuery } from './ocr-queries.ts';
import { ocrOverallState, overallTones } from './overall-state.ts';

/** State of OCR for a stream. */
export function OcrFeed({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const { data: settings } = useQuery(ocrQuery);
  const { data: state } = useQuery(ocrStateQuery);
  if (!settings || !state) return null;
  const overall = ocrOverallState(settings.config, state);
  const isFed = state.stream === streamLabel(stream) && overall !== 'off';
  const word = overall === 'live' ? t('process.state.live') : t(`ocr.overall.${overall}`);
  return (
    <FeedRow
      to={`${paths.scenario}?tab=ocr`}
      tab={t('ocr.title')}
      title={t('ocr.title')}
      state={
        <StatusLabel tone={isFed ? overallTones[overall] : 'off'} word={isFed ? word : t('streamPage.feeds.none')} />
      }
    >
      {isFed && state.taken > 0 && t('ocr.tally.taken', { count: state.taken })}
    </FeedRow>
  );
}
