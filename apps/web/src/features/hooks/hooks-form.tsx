import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Hooks, hookLimits, hooksApi, isWebAddress } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SecretField } from '../../components/ui/secret-field.tsx';
import { StatusLabel } from '../../components/ui/status-label.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { HookEvents } from './hook-events.tsx';
import { hooksKey, hooksQuery } from './hooks-queries.ts';
import { SigningKey } from './signing-key.tsx';

type Fields = Pick<Hooks, 'target' | 'opaque' | 'all' | 'verifyTls' | 'ownNetwork'>;

const tip = { description: { lineHeight: 1.45 } };

export function HooksForm({ hooks }: { hooks: Hooks }) {
  const { t } = useTranslation();
  // What was typed stands apart from what the server says, so that the next answer of it cannot overwrite it.
  const [draft, setDraft] = useState<Partial<Fields>>({});
  const [refused, setRefused] = useState<string>();
  const save = useSave(() => setDraft({}));
  const saved: Fields = { ...hooks, target: hooks.target || exampleTarget() };
  const value: Fields = { ...saved, ...draft };
  const isChanged = fieldNames.some((name) => value[name] !== saved[name]);

  const edit = (change: Partial<Fields>) => {
    setDraft({ ...draft, ...change });
    setRefused(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const target = value.target.trim();
    const isMissing = target === '' && value.all;
    const isGood = target === '' ? !isMissing : isWebAddress(target);
    setRefused(isGood ? undefined : t(isMissing ? 'hooks.form.targetEmpty' : 'hooks.form.targetInvalid'));
    if (isGood && !save.isPending) save.mutate({ ...pick(value), target });
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
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            spellCheck={false}
            maxLength={hookLimits.targetCharacters}
            value={value.target}
            onChange={(event) => edit({ target: event.currentTarget.value })}
            error={refused}
          />
          <SecretField
            label={t('hooks.form.opaque')}
            description={t('hooks.form.opaqueTip')}
            value={value.opaque}
            onChange={(opaque) => edit({ opaque })}
          />
          {/^https:/i.test(value.target.trim()) && (
            <Checkbox
              styles={tip}
              label={t('hooks.form.insecure')}
              description={t('hooks.form.insecureTip')}
              checked={!value.verifyTls}
              onChange={(event) => edit({ verifyTls: !event.currentTarget.checked })}
            />
          )}
          <Checkbox
            styles={tip}
            label={t('hooks.form.ownNetwork')}
            description={t('hooks.form.ownNetworkTip')}
            checked={value.ownNetwork}
            onChange={(event) => edit({ ownNetwork: event.currentTarget.checked })}
          />
          <HookEvents />
          <Checkbox
            styles={tip}
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

const fieldNames = ['target', 'opaque', 'all', 'verifyTls', 'ownNetwork'] as const;

function pick({ target, opaque, all, verifyTls, ownNetwork }: Fields): Fields {
  return { target, opaque, all, verifyTls, ownNetwork };
}

/** Answers yes to everything: enough to see what is sent. */
function exampleTarget(): string {
  return `${window.location.origin}${hooksApi.example.path}?fail=false`;
}

function useSave(onSaved: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    // An empty host means: the address this page was opened at.
    mutationFn: (fields: Fields) => client.call(hooksApi.apply, { ...fields, host: '' }),
    onSuccess: async (_answer, fields) => {
      queries.setQueryData(hooksQuery.queryKey, (before) => before && { ...before, ...fields });
      onSaved();
      notify.success(t('helper.setOk'));
      await queries.invalidateQueries({ queryKey: hooksKey });
    },
  });
}
