import { Checkbox, Stack, TextInput } from '@mantine/core';
import { type Hooks, hookLimits, hooksApi, isSameHost, isWebAddress } from '@weir/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { SecretField } from '../../components/ui/fields/secret-field.tsx';
import { client } from '../../lib/api.ts';
import { HookEvents } from './hook-events.tsx';
import { hooksKey, hooksQuery } from './hooks-queries.ts';
import { SigningKey } from './signing-key.tsx';

type Fields = Pick<Hooks, 'target' | 'opaque' | 'host' | 'all' | 'verifyTls' | 'ownNetwork'>;
type Problem = { field: 'target' | 'host'; text: string };

export function HooksForm({ hooks }: { hooks: Hooks }) {
  const { t } = useTranslation();
  const saved: Fields = { ...pick(hooks), target: hooks.target || exampleTarget() };
  const form = useSettingsForm<Fields, Problem>({
    saved,
    // What was allowed for one machine was not meant for another.
    implied: ({ target }) =>
      target !== undefined && !isSameHost(saved.target, target) ? { verifyTls: true, ownNetwork: false } : {},
    check: (fields) => findProblem(trimmed(fields), t),
    save: (fields) => client.call(hooksApi.apply, withHost(trimmed(fields))),
    settle: (queries, fields) => {
      queries.setQueryData(hooksQuery.queryKey, (before) => before && { ...before, ...withHost(trimmed(fields)) });
      queries.invalidateQueries({ queryKey: hooksKey });
    },
    done: t('helper.setOk'),
  });
  const { value, edit, problem } = form;

  return (
    <Stack gap="xl" maw={640}>
      <SettingsForm form={form} action={t('hooks.form.submit')}>
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
      </SettingsForm>
      <SigningKey secret={hooks.secret} />
    </Stack>
  );
}

function pick({ target, opaque, host, all, verifyTls, ownNetwork }: Fields): Fields {
  return { target, opaque, host, all, verifyTls, ownNetwork };
}

function trimmed(fields: Fields): Fields {
  return { ...fields, target: fields.target.trim(), host: fields.host.trim() };
}

/** This page knows the address it was opened at better than a server behind a proxy. */
function withHost({ host, ...fields }: Fields): Fields {
  return { ...fields, host: host || window.location.origin };
}

function findProblem({ target, host, all }: Fields, t: TFunction): Problem | undefined {
  if (target === '' && all) return { field: 'target', text: t('hooks.form.targetEmpty') };
  if (target !== '' && !isWebAddress(target)) return { field: 'target', text: t('hooks.form.targetInvalid') };
  if (host !== '' && !isWebAddress(host)) return { field: 'host', text: t('hooks.form.hostInvalid') };
  return undefined;
}

/** Answers yes to everything: enough to see what is sent. */
function exampleTarget(): string {
  return `${window.location.origin}${hooksApi.example.path}?fail=false`;
}
