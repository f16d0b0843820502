import { useQuery } from '@tanstack/react-query';
import { streamLabel, type WirePlace } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { formatDelay } from '../../components/figures/format-figures.ts';
import { ProcessStateLabel } from '../../components/processes/process-state-label.tsx';
import { FeedRow } from '../../components/streams/feed-row.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { useLocale } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { transcriptStateQuery } from './transcript-queries.ts';

export function TranscriptFeed({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { data: state } = useQuery(transcriptStateQuery);
  if (!state) return null;
  const fed = state.streams.find((one) => one.stream === streamLabel(stream) && one.process.state !== 'off');
  const { delayMs = null } = fed ?? {};
  return (
    <FeedRow
      to={`${paths.scenario}?tab=transcript`}
      tab={t('transcript.title')}
      title={t('transcript.title')}
      state={
        fed ? (
          <ProcessStateLabel report={fed.process} tinted={false} />
        ) : (
          <StatusLabel tone="off" word={t('streamPage.feeds.none')} />
        )
      }
    >
      {delayMs !== null && t('transcript.head.behind', { delay: formatDelay(delayMs, locale) })}
    </FeedRow>
  );
}
