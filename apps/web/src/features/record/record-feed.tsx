import { useQuery } from '@tanstack/react-query';
import { globPath, matchingGlob } from '@weir/contract';
import { placeText, type WirePlace } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { FeedRow } from '../../components/streams/feed-row.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { formatBytes, formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { recordingsQuery, recordQuery } from './record-queries.ts';

export function RecordFeed({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { data: settings } = useQuery(recordQuery);
  const { data: all } = useQuery(recordingsQuery);
  if (!settings || !all) return null;
  const own = all.filter((recording) => placeText(recording) === placeText(stream));
  const now = own.find(({ state }) => state === 'recording');
  const isChosen = settings.globs.length === 0 || matchingGlob(settings.globs, globPath(stream)) !== undefined;
  const word = now ? 'recording' : !settings.all ? 'recordOff' : isChosen ? 'recordWaiting' : 'recordLeft';
  const bytes = own.reduce((sum, { totalBytes }) => sum + totalBytes, 0);
  return (
    <FeedRow
      to={`${paths.scenario}?tab=record`}
      tab={t('record.tab')}
      title={t('record.tab')}
      state={<StatusLabel tone={now ? 'recording' : 'off'} word={t(`streamPage.feeds.${word}`)} />}
    >
      {now && `${formatDuration(now.duration, locale)} · `}
      {own.length > 0 && t('streamPage.feeds.recordings', { count: own.length, size: formatBytes(bytes, locale) })}
    </FeedRow>
  );
}
