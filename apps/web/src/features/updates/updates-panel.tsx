import { Anchor, Button, Checkbox, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type Installation,
  ReleaseBase,
  type UpdatePhase,
  type UpdateState,
  type Updates,
  updatesApi,
} from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { statusQuery } from '../../lib/queries/system-queries.ts';

const idleMs = 30_000;
const busyMs = 1000;
const ends: readonly UpdatePhase[] = ['done', 'undone', 'failed'];

/** An update runs. The server that answers may be away for a second meanwhile. */
function isUnderWay(phase: UpdatePhase | undefined): boolean {
  return phase !== undefined && !ends.includes(phase);
}

const updatesQuery = queryOptions({
  queryKey: ['updates'],
  queryFn: ({ signal }) => client.call(updatesApi.query, {}, { signal }),
  refetchInterval: ({ state }) => (isUnderWay(state.data?.update?.phase) ? busyMs : idleMs),
  meta: { quiet: true },
});

/** Newer releases, and the way to them. */
export function UpdatesPanel() {
  const { t } = useTranslation();
  const query = useQuery(updatesQuery);
  const { data } = query;
  if (!data) return <Skeleton height={260} radius="md" />;
  return (
    <Section
      anchor="updates"
      title={t('updates.title')}
      help={t('updates.help')}
      // While an update runs, the server is expected to be away for a moment.
      state={query.failureCount > 0 && !isUnderWay(data.update?.phase) ? <StaleChip {...query} /> : <State {...data} />}
    >
      <Stack gap="md">
        <Known {...data} />
        {data.update && <LastUpdate update={data.update} running={data.version} />}
        {data.offered !== '' && <Remedy {...data} />}
        <ReleaseForm updates={data} />
      </Stack>
    </Section>
  );
}

function State({ offered, problem, lookedAt, update }: Updates) {
  const { t } = useTranslation();
  if (isUnderWay(update?.phase)) return <StatusLabel tone="busy" word={t('updates.underWay')} tinted />;
  if (offered !== '') return <StatusLabel tone="warn" word={t('updates.available')} tinted />;
  if (problem !== '') return <StatusLabel tone="off" word={t('updates.unknown')} tinted />;
  if (lookedAt === '') return <StatusLabel tone="off" word={t('updates.notYet')} tinted />;
  return <StatusLabel tone="ok" word={t('updates.upToDate')} tinted />;
}

/** What is known about releases, since when, and why not more. */
function Known({ version, offered, latest, stable, notes, problem, lookedAt, update }: Updates) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const look = useMutation({
    mutationFn: () => client.call(updatesApi.look),
    onSuccess: async (found) => {
      queries.setQueryData(updatesQuery.queryKey, found);
      await queries.invalidateQueries(statusQuery);
    },
  });
  return (
    <div>
      {offered !== '' && <Text>{t('updates.offered', { version, offered })}</Text>}
      {latest !== stable && latest !== version && <Text size="sm">{t('updates.preview', { latest })}</Text>}
      {problem !== '' && <Text size="sm">{t(`updates.problem.${problem}`)}</Text>}
      <Group gap="xs" mt={4}>
        <Text size="sm" c="dimmed">
          {lookedAt === '' ? t('updates.neverLooked') : <Looked at={lookedAt} />}
        </Text>
        {notes !== '' && (
          <Anchor size="sm" href={notes} target="_blank" rel="noopener noreferrer">
            {t('updates.notes', { latest })}
          </Anchor>
        )}
      </Group>
      <Button
        variant="default"
        mt="sm"
        loading={look.isPending}
        disabled={problem === 'off' || problem === 'no-key' || isUnderWay(update?.phase)}
        onClick={() => look.mutate()}
      >
        {t('updates.look')}
      </Button>
    </div>
  );
}

function Looked({ at }: { at: string }) {
  const { t } = useTranslation();
  return (
    <>
      {t('updates.looked')} <Moment at={at} />
    </>
  );
}

/** Commands for installations that others update. */
const commands: Readonly<Record<Exclude<Installation, 'tarball' | 'deb'>, string>> = {
  container: 'docker compose pull && docker compose up -d',
  source: 'git pull && npm start',
  pair: 'sudo sh install.sh',
};

/** Button, or the command where Weir can't replace its own files. */
function Remedy({ installation, offered, update }: Updates) {
  const { t } = useTranslation();
  const [isAsking, setIsAsking] = useState(false);
  if (installation !== 'tarball' && installation !== 'deb')
    return (
      <div>
        <Text size="sm" mb="xs">
          {t(`updates.command.${installation}`)}
        </Text>
        <CopyField label={t('updates.command.label')} value={commands[installation]} />
      </div>
    );
  return (
    <div>
      <Button disabled={isUnderWay(update?.phase)} onClick={() => setIsAsking(true)}>
        {t('updates.start', { version: offered })}
      </Button>
      <StartDialog version={offered} opened={isAsking} onClose={() => setIsAsking(false)} />
    </div>
  );
}

function StartDialog({ version, opened, onClose }: { version: string; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const streams = useQuery({ ...streamsQuery, enabled: opened }).data?.streams ?? [];
  const viewers = streams.reduce((sum, { media }) => sum + (media?.viewers ?? 0), 0);
  const onAir = streams.length > 0 ? t('coms.onAir', { count: streams.length, viewers }) : '';
  const start = useMutation({
    mutationFn: () => client.call(updatesApi.upgrade, { version }),
    onSettled: async () => {
      await queries.invalidateQueries(updatesQuery);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={t('updates.startTitle', { version })}
      text={[onAir, t('updates.startText')].filter((part) => part !== '').join(' ')}
      action={t('updates.startNow')}
      busy={start.isPending}
      onConfirm={() => start.mutate()}
      onClose={onClose}
    />
  );
}

/** Step of the update that runs, or how the last one ended. */
function LastUpdate({ update, running }: { update: UpdateState; running: string }) {
  const { t } = useTranslation();
  const { phase, version, from, cause, detail, at } = update;
  const time = (
    <Text size="sm" c="dimmed" mt={4}>
      <Moment at={at} />
    </Text>
  );
  if (phase === 'done')
    return (
      <Notice tone="ok" title={t('updates.done', { version, from })}>
        {running === version && <Text size="sm">{t('updates.doneText')}</Text>}
        {time}
        <Confirm label={t('updates.hide')} />
      </Notice>
    );
  if (phase === 'undone' || phase === 'failed')
    return (
      <Notice
        tone={cause === 'stuck' ? 'bad' : 'warn'}
        title={phase === 'undone' ? t('updates.undone', { version, from }) : t('updates.failed', { version })}
      >
        {cause !== '' && <Text size="sm">{t(`updates.cause.${cause}`, { version, from })}</Text>}
        {detail !== '' && <Text size="sm">{t('updates.detail', { detail })}</Text>}
        {time}
        <Confirm label={t('updates.confirm')} />
      </Notice>
    );
  return (
    <Notice tone="info" title={t('updates.running', { version })}>
      <Text size="sm">{t(`updates.phase.${phase}`, { version, from })}</Text>
    </Notice>
  );
}

function Confirm({ label }: { label: string }) {
  const queries = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => client.call(updatesApi.confirm),
    onSuccess: () => Promise.all([queries.invalidateQueries(updatesQuery), queries.invalidateQueries(statusQuery)]),
  });
  return (
    <Button variant="default" size="xs" mt="xs" loading={confirm.isPending} onClick={() => confirm.mutate()}>
      {label}
    </Button>
  );
}

/** Whether and where to look for releases. */
function ReleaseForm({ updates }: { updates: Updates }) {
  const { t } = useTranslation();
  const { looks, base, usualBase, isOffForGood } = updates;
  const form = useSettingsForm({
    saved: { looks, base },
    check: (fields) => (ReleaseBase.safeParse(fields.base).success ? undefined : t('updates.baseInvalid')),
    save: (fields) => client.call(updatesApi.save, fields),
    refresh: (queries) => queries.invalidateQueries(updatesQuery),
    done: t('helper.setOk'),
  });
  return (
    <SettingsForm form={form} action={t('updates.save')} isDisabled={isOffForGood}>
      <Checkbox
        label={t('updates.looks')}
        description={isOffForGood ? t('updates.offForGood') : t('updates.looksHelp')}
        checked={form.value.looks && !isOffForGood}
        disabled={isOffForGood}
        onChange={(event) => form.edit({ looks: event.currentTarget.checked })}
      />
      <TextInput
        label={t('updates.base')}
        description={t('updates.baseHelp')}
        placeholder={usualBase}
        autoComplete="off"
        spellCheck={false}
        value={form.value.base}
        disabled={isOffForGood || !form.value.looks}
        onChange={(event) => form.edit({ base: event.currentTarget.value })}
        error={form.problem}
      />
    </SettingsForm>
  );
}
