import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Backend, loadBalancerPath, platformApi } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { useSave } from '../../lib/use-save.ts';
import { backendsQuery } from './platform-queries.ts';

/** Fields on an empty form; whoever set more by the API sees them all. */
const leastFields = 3;

export function BalancerPanel() {
  const { t } = useTranslation();
  const query = useQuery(backendsQuery);
  const saved = query.data?.backends ?? [];
  const [draft, setDraft] = useState<readonly string[]>();
  const [isChecked, setIsChecked] = useState(false);
  const forget = () => {
    setDraft(undefined);
    setIsChecked(false);
  };
  const save = useSave({
    query: backendsQuery,
    save: (backends: string[]) => client.call(platformApi.updateBackends, { backends }),
    done: t('helper.setOk'),
    onSaved: forget,
  });
  const remove = useSave<void>({
    query: backendsQuery,
    save: () => client.call(platformApi.removeBackends),
    done: t('platform.balancer.removed'),
    onSaved: forget,
  });
  const fields = Array.from({ length: Math.max(leastFields, saved.length) }, (_, n) => (draft ?? saved)[n] ?? '');
  const filled = fields.map((text) => text.trim()).filter((text) => text !== '');
  const errorOf = (text: string, index: number) => {
    if (!isChecked) return undefined;
    if (filled.length === 0) return index === 0 ? t('platform.balancer.required') : undefined;
    const isGood = text.trim() === '' || Backend.safeParse(text.trim()).success;
    return isGood ? undefined : t('platform.balancer.invalid');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    const isGood = filled.length > 0 && filled.every((backend) => Backend.safeParse(backend).success);
    if (isGood && !save.isPending) save.mutate(filled);
  };
  const isOn = saved.length > 0;
  const state = isOn ? t('platform.balancer.isOn') : t('platform.balancer.isOff');

  return (
    <Section
      title={t('platform.balancer.title')}
      help={t('platform.balancer.help')}
      state={
        query.failureCount > 0 ? <StaleChip {...query} /> : <StatusLabel tone={isOn ? 'ok' : 'off'} word={state} />
      }
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md" maw={560}>
          {fields.map((text, index) => (
            <TextInput
              // biome-ignore lint/suspicious/noArrayIndexKey: a field is its place
              key={index}
              size="md"
              label={t('platform.balancer.servers', { number: index + 1 })}
              autoComplete="off"
              spellCheck={false}
              value={text}
              onChange={(event) => setDraft(fields.with(index, event.currentTarget.value))}
              error={errorOf(text, index)}
            />
          ))}
          <Text size="sm" c="dimmed">
            {t('platform.balancer.tip')}
          </Text>
          {isOn && (
            <CopyField
              label={t('platform.balancer.link')}
              value={`${window.location.origin}${loadBalancerPath}/live/livestream.flv`}
            />
          )}
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!query.data}>
              {t('platform.balancer.submit')}
            </Button>
            {isOn && (
              <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
                {t('platform.balancer.off')}
              </Button>
            )}
            {draft !== undefined && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
