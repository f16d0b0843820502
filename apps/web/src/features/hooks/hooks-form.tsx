import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Hooks, hookLimits, hooksApi, isSameHost, isWebAddress } from '@weir/contract';
import type { TFunction } from 'i18next';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { SecretField } from '../../components/ui/fields/secret-field.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { HookEvents } from './hook-events.tsx';
import { hooksKey, hooksQuery } from './hooks-queries.ts';
import { SigningKey } from './signing-key.tsx';

type Fields = Pick<Hooks, 'target' | 'opaque' | 'host' | 'all' | 'verifyTls' | 'ownNetwork'>;
type Problem = { field: 'target' | 'host'; text: string };

export function HooksForm({ hooks }: { hooks: Hooks }) {
  const { t } = useTranslation();
  // What was typed stands apart from what the server says, so that the next answer of it cannot overwrite it.
  const [draft, setDraft] = useState<Partial<Fields>>({});
  const [problem, setProblem] = useState<Problem>();
  const save = useSave(() => setDraft({}));
  const saved: Fields = { ...hooks, target: hooks.target || exampleTarget() };
  // What was allowed for one machine was not meant for another.
  const isMoved = draft.target !== undefined && !isSameHost(saved.target, draft.target);
  const value: Fields = { ...saved, ...(isMoved && { verifyTls: true, ownNetwork: false }), ...draft };
  const isChanged = fieldNames.some((name) => value[name] !== saved[name]);

  const edit = (change: Partial<Fields>) => {
    setDraft({ ...draft, ...change });
    setProblem(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const fields = { ...pick(value), target: value.target.trim(), host: value.host.trim() };
    const found = problemOf(fields, t);
    setProblem(found);
    if (!found && !save.isPending) save.mutate(fields);
  };

  return (
    <Stack gap="xl" maw={640}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            size="md"
            type="url"
            label={t('hooks.form.target')}
            description={t('hooks.form.targetTip')}
            placeholder={t('hooks.form.targetHolder')}
            spellCheck={false}
            maxLength={hookLimits.targetCharacters}
            value={value.target}
            onChange={(event) => edit({ target: event.currentTarget.value })}
            error={problem?.field === 'target' && problem.text}
          />
          <SecretField
            label={t('hooks.form.opaque')}
            description={t('hooks.form.opaqueTip')}
            value={value.opaque}
            onChange={(opaque) => edit({ opaque })}
          />
          {/^https:/i.test(value.target.trim()) && (
            <Checkbox
              label={t('hooks.form.insecure')}
              description={t('hooks.form.insecureTip')}
              checked={!value.verifyTls}
              onChange={(event) => edit({ verifyTls: !event.currentTarget.checked })}
            />
          )}
          <Checkbox
            label={t('hooks.form.ownNetwork')}
            description={t('hooks.form.ownNetworkTip')}
            checked={value.ownNetwork}
            onChange={(event) => edit({ ownNetwork: event.currentTarget.checked })}
          />
          <TextInput
            size="md"
            type="url"
            label={t('hooks.form.host')}
            description={t('hooks.form.hostTip')}
            placeholder={window.location.origin}
            spellCheck={false}
            maxLength={hookLimits.targetCharacters}
            value={value.host}
            onChange={(event) => edit({ host: event.currentTarget.value })}
            error={problem?.field === 'host' && problem.text}
          />
          <HookEvents />
          <Checkbox
            label={t('hooks.form.all')}
            description={t('hooks.form.allTip')}
            checked={value.all}
            onChange={(event) => edit({ all: event.currentTarget.checked })}
          />
          <Group>
            <Button type="submit" loading={save.isPending}>
              {t('hooks.form.submit')}
            </Button>
            {isChanged && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
          </Group>
        </Stack>
      </form>
      <SigningKey secret={hooks.secret} />
    </Stack>
  );
}

const fieldNames = ['target', 'opaque', 'host', 'all', 'verifyTls', 'ownNetwork'] as const;

function pick({ target, opaque, host, all, verifyTls, ownNetwork }: Fields): Fields {
  return { target, opaque, host, all, verifyTls, ownNetwork };
}

function problemOf({ target, host, all }: Fields, t: TFunction): Problem | undefined {
  if (target === '' && all) return { field: 'target', text: t('hooks.form.targetEmpty') };
  if (target !== '' && !isWebAddress(target)) return { field: 'target', text: t('hooks.form.targetInvalid') };
  if (host !== '' && !isWebAddress(host)) return { field: 'host', text: t('hooks.form.hostInvalid') };
  return undefined;
}

/** Answers yes to everything: enough to see what is sent. */
function exampleTarget(): string {
  return `${window.location.origin}${hooksApi.example.path}?fail=false`;
}

function useSave(onSaved: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    // This page knows the address it was opened at better than a server behind a proxy.
    mutationFn: ({ host, ...fields }: Fields) =>
      client.call(hooksApi.apply, { ...fields, host: host || window.location.origin }),
    onSuccess: async (_answer, { host, ...fields }) => {
      const changed = { ...fields, host: host || window.location.origin };
      queries.setQueryData(hooksQuery.queryKey, (before) => before && { ...before, ...changed });
      onSaved();
      notify.success(t('helper.setOk'));
      await queries.invalidateQueries({ queryKey: hooksKey });
    },
  });
}
