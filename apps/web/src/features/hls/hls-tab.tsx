import { Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { hlsApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { SwitchPanel } from '../../components/ui/layout/switch-panel.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { deliveryQuery, latencyQuery } from './hls-queries.ts';

export function HlsTab() {
  return (
    <Stack gap="md">
      <DeliveryPanel />
      <LatencyPanel />
    </Stack>
  );
}

function DeliveryPanel() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const delivery = useQuery(deliveryQuery);
  const save = useMutation({
    mutationFn: (noHlsCtx: boolean) => client.call(hlsApi.updateDelivery, { noHlsCtx }),
    onSuccess: (_answer, noHlsCtx) => {
      queries.setQueryData(deliveryQuery.queryKey, { noHlsCtx });
      notify.success(t('helper.setOk'));
    },
  });
  return (
    <SwitchPanel
      title={t('settings.nginxHlsTitle')}
      help={t('settings.nginxHlsHelp')}
      label={t('settings.nginxHlsTip')}
      description={t('settings.nginxHlsEffect')}
      freshness={delivery}
      saved={delivery.data?.noHlsCtx}
      isSaving={save.isPending}
      onSave={save.mutateAsync}
    />
  );
}

function LatencyPanel() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const latency = useQuery(latencyQuery);
  const save = useMutation({
    mutationFn: (hlsLowLatency: boolean) => client.call(hlsApi.updateLatency, { hlsLowLatency }),
    onSuccess: (_answer, hlsLowLatency) => {
      queries.setQueryData(latencyQuery.queryKey, { hlsLowLatency });
      notify.success(t('helper.setOk'));
    },
  });
  return (
    <SwitchPanel
      title={t('settings.hlsLL')}
      help={t('settings.hlsLLHelp')}
      label={t('settings.hlsLLTip')}
      description={t('settings.hlsLLEffect')}
      freshness={latency}
      saved={latency.data?.hlsLowLatency}
      isSaving={save.isPending}
      onSave={save.mutateAsync}
    />
  );
}
