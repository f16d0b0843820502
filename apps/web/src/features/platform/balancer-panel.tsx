import { Button, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Backend, loadBalancerPath, platformApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { edgesQuery } from '../../lib/queries/edges-queries.ts';
import { backendsQuery } from './platform-queries.ts';

/** Number of fields on an empty form; the API may have set more. */
const leastFields = 3;

export function BalancerPanel() {
  const { t } = useTranslation();
  const query = useQuery(backendsQuery);
  const saved = query.data?.backends ?? [];
  const form = useSettingsForm<{ backends: readonly string[] }>({
    saved: { backends: saved },
    isKnown: query.data !== undefined,
    check: ({ backends }) => {
      const filled = filledOf(backends);
      if (filled.length === 0) return 'required';
      return filled.every(isBackend) ? undefined : 'invalid';
    },
    save: ({ backends }) => client.call(platformApi.updateBackends, { backends: filledOf(backends) }),
    refresh: (queries) => queries.invalidateQueries(backendsQuery),
    done: t('helper.setOk'),
  });
  const remove = useRemoval(form.discard);
  const fields = Array.from({ length: Math.max(leastFields, saved.length) }, (_, n) => form.value.backends[n] ?? '');
  const errorOf = (text: string, index: number) => {
    if (form.problem === 'required') return index === 0 ? t('platform.balancer.required') : undefined;
    const isWrong = form.problem === 'invalid' && text.trim() !== '' && !isBackend(text.trim());
    return isWrong ? t('platform.balancer.invalid') : undefined;
  };
  const hasEdges = (useQuery(edgesQuery).data?.edges.length ?? 0) > 0;
  const isOn = saved.length > 0;
  const state = isOn || hasEdges ? t('platform.balancer.isOn') : t('platform.balancer.isOff');

  return (
    <Section
      isSplit
      title={t('platform.balancer.title')}
      help={t('platform.balancer.help')}
      state={
        query.failureCount > 0 ? (
          <StaleChip {...query} />
        ) : (
          <StatusLabel tone={isOn || hasEdges ? 'ok' : 'off'} word={state} />
        )
      }
    >
      <SettingsForm
        form={form}
        width={560}
        action={t('platform.balancer.submit')}
        actions={
          isOn && (
            <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
              {t('platform.balancer.off')}
            </Button>
          )
        }
      >
        {fields.map((text, index) => (
          <TextInput
            // biome-ignore lint/suspicious/noArrayIndexKey: a field is its place
            key={index}
            size="md"
            label={t('platform.balancer.servers', { number: index + 1 })}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => form.edit({ backends: fields.with(index, event.currentTarget.value) })}
            error={errorOf(text, index)}
          />
        ))}
        <Text size="sm" c="dimmed">
          {t('platform.balancer.tip')} {hasEdges && !isOn && t('platform.edges.balancer')}
        </Text>
        {(isOn || hasEdges) && (
          <CopyField
            label={t('platform.balancer.link')}
            value={`${window.location.origin}${loadBalancerPath}/live/livestream.${isOn ? 'flv' : 'm3u8'}`}
          />
        )}
      </SettingsForm>
    </Section>
  );
}

const filledOf = (backends: readonly string[]) => backends.map((text) => text.trim()).filter((text) => text !== '');
const isBackend = (text: string) => Backend.safeParse(text).success;

function useRemoval(onRemoved: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.call(platformApi.removeBackends),
    onSuccess: async () => {
      await queries.invalidateQueries(backendsQuery);
      onRemoved();
      notify.success(t('platform.balancer.removed'));
    },
  });
}
