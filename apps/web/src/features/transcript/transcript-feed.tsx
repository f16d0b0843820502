import { useQuery } from '@tanstack/react-query';
import { streamLabel, type WirePlace } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { formatDelay } from '../../components/figures/format-figures.ts';
import { ProcessSince } from '../../components/processes/process-since.tsx';
import { ProcessStateLabel } from '../../components/processes/process-state-label.tsx';
import { FeedRow } from '../../components/streams/feed-row.tsx';
import { IconBadgeCc } from '../../components/ui/theme/icons.ts';
import { useLocale } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { transcriptStateQuery } from './transcript-queries.ts';

export function TranscriptFeed({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { data: state } = useQuery(transcriptStateQuery);
  if (!state) return null;
  const fed = state.streams.find((one) => one.stream === streamLabel(stream) && one.process.state !== 'off');
  if (!fed) return null;
  const { delayMs } = fed;
  return (
    <FeedRow
      icon={IconBadgeCc}
      title={t('transcript.title')}
      detail={delayMs !== null && t('transcript.head.behind', { delay: formatDelay(delayMs, locale) })}
      state={<ProcessStateLabel report={fed.process} tinted={false} />}
      since={<ProcessSince report={fed.process} />}
      to={`${paths.scenario}?tab=transcript`}
      tab={t('transcript.title')}
    />
  );
}
