import { useQuery } from '@tanstack/react-query';
import { hlsApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { SwitchPanel } from '../../components/settings-form/switch-panel.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section, SectionGroup } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { useEngineLacks } from '../../lib/queries/use-engine-lacks.ts';
import { deliveryQuery, latencyQuery } from './hls-queries.ts';

export function HlsTab() {
  const { t } = useTranslation();
  if (useEngineLacks('hls-settings')) {
    return (
      <Section title={t('settings.hlsFixedTitle')}>
        <Notice tone="info" title={t('settings.hlsFixed')}>
          {t('settings.hlsFixedHelp')}
        </Notice>
      </Section>
    );
  }
  return (
    <>
      <PageHead title={t('settings.tabHls')} state={<LatencyPill />} purpose={t('nav.purpose.hls')} />
      <SectionGroup>
        <LatencyPanel />
        <DeliveryPanel />
      </SectionGroup>
    </>
  );
}

function LatencyPill() {
  const { t } = useTranslation();
  const { data } = useQuery(latencyQuery);
  if (!data) return null;
  return (
    <StatePill
      tone={data.hlsLowLatency ? 'ok' : 'off'}
      word={t(data.hlsLowLatency ? 'settings.hlsIsLow' : 'settings.hlsIsUsual')}
    />
  );
}

function DeliveryPanel() {
  const { t } = useTranslation();
  const delivery = useQuery(deliveryQuery);
  return (
    <SwitchPanel
      title={t('settings.nginxHlsTitle')}
      help={t('settings.nginxHlsHelp')}
      label={t('settings.nginxHlsTip')}
      description={t('settings.nginxHlsEffect')}
      freshness={delivery}
      saved={delivery.data?.noHlsCtx}
      save={(noHlsCtx) => client.call(hlsApi.updateDelivery, { noHlsCtx })}
      refresh={(queries, noHlsCtx) => queries.setQueryData(deliveryQuery.queryKey, { noHlsCtx })}
    />
  );
}

function LatencyPanel() {
  const { t } = useTranslation();
  const latency = useQuery(latencyQuery);
  return (
    <SwitchPanel
      title={t('settings.hlsLL')}
      help={t('settings.hlsLLHelp')}
      label={t('settings.hlsLLTip')}
      description={t('settings.hlsLLEffect')}
      freshness={latency}
      saved={latency.data?.hlsLowLatency}
      save={(hlsLowLatency) => client.call(hlsApi.updateLatency, { hlsLowLatency })}
      refresh={(queries, hlsLowLatency) => queries.setQueryData(latencyQuery.queryKey, { hlsLowLatency })}
    />
  );
}
