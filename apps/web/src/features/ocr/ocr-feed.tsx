import { useQuery } from '@tanstack/react-query';
import { streamLabel, type WirePlace } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { FeedRow } from '../../components/streams/feed-row.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { IconTextScan2 } from '../../components/ui/theme/icons.ts';
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
  if (state.stream !== streamLabel(stream) || overall === 'off') return null;
  const word = overall === 'live' ? t('process.state.live') : t(`ocr.overall.${overall}`);
  return (
    <FeedRow
      icon={IconTextScan2}
      title={t('ocr.title')}
      detail={state.taken > 0 && t('ocr.tally.taken', { count: state.taken })}
      state={<StatusLabel tone={overallTones[overall]} word={word} />}
      to={`${paths.scenario}?tab=ocr`}
      tab={t('ocr.title')}
    />
  );
}
