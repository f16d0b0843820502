import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Edge, EdgeUrl, edgesApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { type Column, DataTable } from '../../components/ui/facts/data-table.tsx';
import { Ago } from '../../components/ui/facts/moment.tsx';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { edgesQuery } from '../../lib/queries/edges-queries.ts';

const none: { edges: never[]; token: string } = { edges: [], token: '' };

/** Caches that deliver HLS for this server: addresses, state and shared secret. */
export function EdgesPanel() {
  const { t } = useTranslation();
  const query = useQuery(edgesQuery);
  const { edges, token } = query.data ?? none;
  const form = useSettingsForm<{ urls: string }>({
    saved: { urls: edges.map(({ url }) => url).join('\n') },
    isKnown: query.data !== undefined,
    check: ({ urls }) => (urlsIn(urls).every((url) => EdgeUrl.safeParse(url).success) ? undefined : 'invalid'),
    save: ({ urls }) => client.call(edgesApi.update, { edges: urlsIn(urls) }),
    refresh: (queries) => queries.invalidateQueries(edgesQuery),
    done: t('helper.setOk'),
  });
  return (
    <Section
      isSplit
      title={t('platform.edges.title')}
      help={t('platform.edges.help')}
      state={query.failureCount > 0 ? <StaleChip {...query} /> : <Overall />}
    >
      <Stack gap="lg">
        <EdgeList edges={edges} />
        <SettingsForm
          form={form}
          width={560}
          action={t('platform.edges.submit')}
          actions={token !== '' && <RenewToken />}
        >
          <Textarea
            size="md"
            label={t('platform.edges.urls')}
            description={t('platform.edges.urlsTip')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            rows={Math.min(10, Math.max(2, edges.length + 1))}
            autoComplete="off"
            spellCheck={false}
            value={form.value.urls}
            onChange={(event) => form.edit({ urls: event.currentTarget.value })}
            error={form.problem === 'invalid' ? t('platform.edges.invalid') : undefined}
          />
          {token !== '' && (
            <CopyField label={t('platform.edges.token')} value={token} isSecret help={t('platform.edges.tokenHelp')} />
          )}
        </SettingsForm>
      </Stack>
    </Section>
  );
}

function Overall() {
  const { t } = useTranslation();
  const { edges } = useQuery(edgesQuery).data ?? none;
  const failing = edges.filter(({ state }) => state === 'failing').length;
  if (edges.length === 0) return <StatusLabel tone="off" word={t('platform.edges.none')} />;
  if (failing > 0) return <StatusLabel tone="bad" word={t('platform.edges.someFail', { count: failing })} />;
  return <StatusLabel tone="ok" word={t('platform.edges.ready', { count: edges.length })} />;
}

function RenewToken() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const renew = useMutation({
    mutationFn: () => client.call(edgesApi.renewToken),
    onSuccess: async () => {
      setIsAsked(false);
      await queries.invalidateQueries(edgesQuery);
      notify.success(t('platform.edges.renewed'));
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => setIsAsked(true)}>
        {t('platform.edges.renew')}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        title={t('platform.edges.renewTitle')}
        text={t('platform.edges.renewText')}
        action={t('platform.edges.renew')}
        busy={renew.isPending}
        onConfirm={() => renew.mutate()}
        onClose={() => setIsAsked(false)}
      />
    </>
  );
}

const urlsIn = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** State of each edge at its last check, with the remedy for failures. */
function EdgeList({ edges }: { edges: readonly Edge[] }) {
  const { t } = useTranslation();
  if (edges.length === 0) return null;
  const columns: Column<Edge>[] = [
    { title: t('platform.edges.url'), render: ({ url }) => url, isName: true },
    { title: t('platform.edges.state'), render: (edge) => <State edge={edge} /> },
    {
      title: t('platform.edges.latency'),
      render: ({ state, latencyMs }) => (state === 'ok' ? t('platform.edges.ms', { ms: latencyMs }) : '–'),
    },
    {
      title: t('platform.edges.checked'),
      render: ({ checkedAt }) => (checkedAt === '' ? '–' : <Ago at={checkedAt} />),
    },
  ];
  return (
    <DataTable
      label={t('platform.edges.title')}
      columns={columns}
      rows={edges}
      keyOf={({ url }) => url}
      actionsTitle=""
    />
  );
}

function State({ edge: { state, failure } }: { edge: Edge }) {
  const { t } = useTranslation();
  if (state === 'unchecked') return <StatusLabel tone="busy" word={t('platform.edges.checking')} />;
  if (state === 'ok' || failure === '') return <StatusLabel tone="ok" word={t('platform.edges.ok')} />;
  return (
    <div>
      <StatusLabel tone="bad" word={t('platform.edges.failing')} />
      <Text size="sm" c="dimmed" maw={420}>
        {t(`platform.edges.failure.${failure}`)}
      </Text>
    </div>
  );
}
