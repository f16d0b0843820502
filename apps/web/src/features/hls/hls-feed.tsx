import { useQuery } from '@tanstack/react-query';
import type { WirePlace } from '@weir/streams';
import { placeText } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { FeedRow } from '../../components/streams/feed-row.tsx';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { IconPlaylist } from '../../components/ui/theme/icons.ts';
import { paths } from '../../lib/paths.ts';
import { deliveryQuery, latencyQuery } from './hls-queries.ts';

/** HLS segments of a stream. Every stream has them, watched or not. */
export function HlsFeed({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const { data: streams } = useQuery(streamsQuery);
  const { data: latency } = useQuery(latencyQuery);
  const { data: delivery } = useQuery(deliveryQuery);
  if (!streams || !latency || !delivery) return null;
  if (!streams.streams.some((one) => placeText(one) === placeText(stream))) return null;
  const forms = [
    latency.hlsLowLatency ? t('streamPage.feeds.hlsShort') : t('streamPage.feeds.hlsUsual'),
    ...(delivery.noHlsCtx ? [t('streamPage.feeds.hlsShared')] : []),
  ];
  return (
    <FeedRow
      icon={IconPlaylist}
      title={t('streamPage.feeds.hls')}
      detail={forms.join(' · ')}
      state={<StatusLabel tone="ok" word={t('process.state.live')} />}
      to={`${paths.settings}?tab=hls`}
      tab={t('settings.tabHls')}
    />
  );
}
