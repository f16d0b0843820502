import { useQuery } from '@tanstack/react-query';
import { streamLabel, type WirePlace } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { useOutletTitle } from '../../components/outlets/destination/platforms.ts';
import { ProcessNumbersText } from '../../components/processes/process-numbers.tsx';
import { ProcessStateLabel } from '../../components/processes/process-state-label.tsx';
import { FeedRow } from '../../components/streams/feed-row.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { paths } from '../../lib/paths.ts';
import { forwardQueries } from './forward-queries.ts';

export function ForwardFeed({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const titleOf = useOutletTitle();
  const { data: rows } = useQuery(forwardQueries.rows);
  if (!rows) return null;
  const place = { to: `${paths.scenario}?tab=forward`, tab: t('forward.tab') };
  const fed = rows.filter((row) => row.enabled && row.stream === streamLabel(stream));
  if (fed.length === 0) {
    return (
      <FeedRow
        {...place}
        title={t('forward.tab')}
        state={<StatusLabel tone="off" word={t('streamPage.feeds.none')} />}
      />
    );
  }
  return fed.map((row) => (
    <FeedRow
      key={row.platform}
      {...place}
      title={t('streamPage.feeds.forward', { name: titleOf(row) })}
      state={<ProcessStateLabel report={row.process} tinted={false} />}
    >
      {row.process.numbers && <ProcessNumbersText numbers={row.process.numbers} />}
    </FeedRow>
  ));
}
