import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type HookEvent, type Hooks, hookEvents, hookLimits, hooksApi, isSameHost, isWebAddress } from '@weir/contract';
import { defaultVhost } from '@weir/streams';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { JsonText } from '../../components/ui/facts/json-text.tsx';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { SecretField } from '../../components/ui/fields/secret-field.tsx';
import { Section, SectionGroup } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import classes from './hooks-form.module.css';
import { hooksKey, hooksQuery } from './hooks-queries.ts';

type Fields = Pick<Hooks, 'target' | 'opaque' | 'host' | 'all' | 'verifyTls' | 'ownNetwork'>;
type Problem = { field: 'target' | 'host'; text: string };

export function HooksForm({ hooks }: { hooks: Hooks }) {
  const { t } = useTranslation();
  const saved: Fields = { ...pick(hooks), target: hooks.target || exampleTarget() };
  const form = useSettingsForm<Fields, Problem>({
    saved,
    // Exceptions allowed for one host must not apply to another.
    implied: ({ target }) =>
      target !== undefined && !isSameHost(saved.target, target) ? { verifyTls: true, ownNetwork: false } : {},
    check: (fields) => findProblem(trimmed(fields), t),
    save: (fields) => client.call(hooksApi.apply, withHost(trimmed(fields))),
    refresh: (queries, fields) => {
      queries.setQueryData(hooksQuery.queryKey, (before) => before && { ...before, ...withHost(trimmed(fields)) });
      queries.invalidateQueries({ queryKey: hooksKey });
    },
    done: t('helper.setOk'),
  });
  const { value, edit, problem } = form;

  return (
    <div id="panel-1" data-key="1" tabIndex={-1} className={classes.form}>
      <SettingsForm form={form} action={t('hooks.form.submit')}>
        <SectionGroup>
          <Section isSplit title={t('hooks.form.title')} help={t('hooks.form.help')}>
            <Stack gap="md" maw={560}>
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
              <Checkbox
                label={t('hooks.form.all')}
                description={t('hooks.form.allTip')}
                checked={value.all}
                onChange={(event) => edit({ all: event.currentTarget.checked })}
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
            </Stack>
          </Section>
          <Section isSplit title={t('hooks.form.content')} help={t('hooks.form.contentHelp')}>
            <Stack gap="md" maw={560}>
              <SecretField
                label={t('hooks.form.opaque')}
                description={t('hooks.form.opaqueTip')}
                value={value.opaque}
                onChange={(opaque) => edit({ opaque })}
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
            </Stack>
          </Section>
        </SectionGroup>
      </SettingsForm>
      <Section isSplit title={t('hooks.form.key')} help={t('hooks.form.keyHelp')}>
        <SigningKey secret={hooks.secret} />
      </Section>
    </div>
  );
}

function pick({ target, opaque, host, all, verifyTls, ownNetwork }: Fields): Fields {
  return { target, opaque, host, all, verifyTls, ownNetwork };
}

function trimmed(fields: Fields): Fields {
  return { ...fields, target: fields.target.trim(), host: fields.host.trim() };
}

/** Behind a proxy, this page knows the server's public address better than the server. */
function withHost({ host, ...fields }: Fields): Fields {
  return { ...fields, host: host || window.location.origin };
}

function findProblem({ target, host, all }: Fields, t: TFunction): Problem | undefined {
  if (target === '' && all) return { field: 'target', text: t('hooks.form.targetEmpty') };
  if (target !== '' && !isWebAddress(target)) return { field: 'target', text: t('hooks.form.targetInvalid') };
  if (host !== '' && !isWebAddress(host)) return { field: 'host', text: t('hooks.form.hostInvalid') };
  return undefined;
}

/** Example receiver that accepts every callback. */
function exampleTarget(): string {
  return `${window.location.origin}${hooksApi.example.path}?fail=false`;
}

const common = { request_id: '3ab26a09-59b0-42f7-98e3-a281c7d0712b', opaque: '…' };
const place = { vhost: defaultVhost, app: 'live', stream: 'livestream' };
const uuid = '824b96f9-8d51-4046-ba1e-a9aec7d57c95';

const samples: Record<HookEvent, object> = {
  on_publish: { ...place, param: '?secret=***&user=ann' },
  on_unpublish: place,
  on_play: { ...place, param: '?token=…', ip: '192.0.2.7' },
  on_program_switch: { ...place, from: 'publisher', to: 'backup', reason: 'closed', gap_ms: 60 },
  on_record_begin: { ...place, uuid },
  on_record_end: {
    ...place,
    uuid,
    artifact_code: 0,
    artifact_path: `/data/record/${uuid}/index.mp4`,
    artifact_url: `https://example.com/terraform/v1/hooks/record/hls/${uuid}/index.mp4`,
  },
  on_ocr: {
    ...place,
    uuid,
    prompt: 'What is in the picture?',
    result: 'A clock',
    tsid: `7-image-${uuid}`,
    seqno: 7,
    time: '2026-01-01T12:00:00.000Z',
    image_url: `https://example.com/terraform/v1/ai/ocr/image/7-image-${uuid}.jpg?token=…`,
  },
};

function HookEvents() {
  const { t } = useTranslation();
  return (
    <div className={classes.events}>
      <Text size="sm" fw={600}>
        {t('hooks.event.title')}
      </Text>
      {hookEvents.map((action) => (
        <details key={action} id={`http-callback-${action}`}>
          <summary>
            <code>{action}</code>: {t(`hooks.event.${action}`)}
          </summary>
          <JsonText label={action} text={JSON.stringify({ ...common, action, ...samples[action] })} />
        </details>
      ))}
    </div>
  );
}

/** Key with which a receiver verifies requests. */
function SigningKey({ secret }: { secret: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const rotate = useMutation({
    mutationFn: () => client.call(hooksApi.rotate, {}),
    onSuccess: (fresh) => {
      queries.setQueryData(hooksQuery.queryKey, (before) => before && { ...before, ...fresh });
      notify.success(t('hooks.form.rotateOk'));
    },
    onSettled: () => setIsAsking(false),
  });
  return (
    <Stack gap="sm" maw={560} align="flex-start">
      <div className={classes.key}>
        <CopyField label={t('hooks.form.key')} value={secret} isSecret />
      </div>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {t('hooks.form.rotate')}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t('hooks.form.rotateTitle')}
        text={t('hooks.form.rotateText')}
        action={t('hooks.form.rotate')}
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </Stack>
  );
}
