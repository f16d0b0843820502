import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type BackupResult, type BackupStatus, backupApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { saveFile } from '../../lib/browser/save-file.ts';
import { readCredentials } from '../../lib/credentials.ts';
import { formatBytes } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { notify } from '../../lib/notify.ts';
import classes from './backup.module.css';
import { backupQuery } from './backup-queries.ts';
import { ImportPanel } from './import-panel.tsx';
import { RestorePanel } from './restore-panel.tsx';
import { ScheduleForm } from './schedule-form.tsx';

export function BackupTab() {
  const { t } = useTranslation();
  const query = useQuery(backupQuery);
  const status = query.data;
  return (
    <>
      <PageHead title={t('backup.tab')} purpose={t('nav.purpose.backup')} state={<StaleChip {...query} />} />
      {!status && query.failureCount === 0 && <PageSkeleton />}
      <Stack gap="md">
        {status && (
          <>
            <Section title={t('backup.key.title')} help={t('backup.key.help')} anchor="recovery-key">
              <RecoveryKeyPanel status={status} />
            </Section>
            {status.recipient !== '' && (
              <>
                <Section title={t('backup.list.title')} help={t('backup.list.help')} anchor="backups">
                  <BackupList status={status} />
                </Section>
                <Section title={t('backup.schedule.title')} help={t('backup.schedule.help')} anchor="schedule" isSplit>
                  <ScheduleForm status={status} />
                </Section>
              </>
            )}
          </>
        )}
        <Section title={t('backup.restore.title')} help={t('backup.restore.help')} anchor="restore" isSplit>
          <RestorePanel
            authority={() => ({ bearer: readCredentials()?.bearer ?? '' })}
            // Everything on the page may have changed.
            onRestored={() => window.location.reload()}
          />
        </Section>
        <Section title={t('imports.title')} help={t('imports.help')} anchor="import" isSplit>
          <ImportPanel />
        </Section>
      </Stack>
    </>
  );
}

/** The key that opens backups: created here, shown once. */
function RecoveryKeyPanel({ status: { recipient, keyCreatedAt } }: { status: BackupStatus }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isReplacing, setIsReplacing] = useState(false);
  const create = useMutation({
    mutationFn: () => client.call(backupApi.key, {}),
    onSuccess: () => setIsReplacing(false),
  });
  const close = async () => {
    await queries.invalidateQueries({ queryKey: backupQuery.queryKey });
    create.reset();
  };
  const isThere = recipient !== '';
  return (
    <>
      <div className={classes.key}>
        <div className={classes.keyText}>
          {isThere ? (
            <>
              <Text size="sm">
                {t('backup.key.created')} <Moment at={keyCreatedAt} />
              </Text>
              <Text size="xs" c="dimmed" className={classes.mono}>
                {recipient}
              </Text>
            </>
          ) : (
            <Text size="sm">{t('backup.key.none')}</Text>
          )}
        </div>
        <Button
          variant={isThere ? 'default' : 'filled'}
          loading={create.isPending}
          onClick={() => (isThere ? setIsReplacing(true) : create.mutate())}
        >
          {t(isThere ? 'backup.key.replace' : 'backup.key.create')}
        </Button>
      </div>
      <ConfirmDialog
        opened={isReplacing}
        title={t('backup.key.replaceTitle')}
        text={t('backup.key.replaceText')}
        action={t('backup.key.replace')}
        busy={create.isPending}
        onConfirm={() => create.mutate()}
        onClose={() => setIsReplacing(false)}
      />
      {create.data && <NewKeyDialog identity={create.data.identity} onClose={close} />}
    </>
  );
}

function NewKeyDialog({ identity, onClose }: { identity: string; onClose: () => Promise<void> }) {
  const { t } = useTranslation();
  const [isStored, setIsStored] = useState(false);
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      title={t('backup.key.newTitle')}
      centered
      size="lg"
      transitionProps={{ duration: 150 }}
    >
      <Stack gap="md">
        <Notice tone="warn" title={t('backup.key.once')}>
          <Text size="sm">{t('backup.key.onceText')}</Text>
        </Notice>
        <CopyField label={t('backup.key.identity')} value={identity} isLong />
        <Group>
          <Button
            variant="default"
            data-autofocus
            onClick={() => saveFile('weir-recovery-key.txt', `# ${t('backup.key.fileNote')}\n${identity}\n`)}
          >
            {t('backup.key.save')}
          </Button>
        </Group>
        <Checkbox
          label={t('backup.key.stored')}
          checked={isStored}
          onChange={(event) => setIsStored(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button disabled={!isStored} onClick={onClose}>
            {t('backup.key.done')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Last result, backups at the destination, and the buttons that make one. */
function BackupList({ status }: { status: BackupStatus }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const queries = useQueryClient();
  const { files, last, next, running, settings, directory } = status;
  const download = useMutation({
    mutationFn: () => client.file(backupApi.download, {}),
    onSuccess: ({ name, content }) => {
      saveFile(name, content);
      notify.success(t('backup.list.downloaded', { size: formatBytes(content.size, locale) }));
    },
  });
  const run = useMutation({
    mutationFn: () => client.call(backupApi.run, {}),
    onSettled: () => queries.invalidateQueries({ queryKey: backupQuery.queryKey }),
  });
  const { bucket } = settings;
  const place = settings.destination === 'bucket' ? [bucket.endpoint, bucket.bucket, bucket.prefix] : [directory];
  return (
    <Stack gap="md">
      <div className={classes.last}>
        <LastResult last={last} isRunning={running} />
        {next !== '' && (
          <Text size="sm" c="dimmed">
            {t('backup.list.next')} <Moment at={next} />
          </Text>
        )}
      </div>
      {files.length > 0 && (
        <div>
          <Text size="sm" c="dimmed" className={classes.mono}>
            {place.filter((part) => part !== '').join(' / ')}
          </Text>
          <ul className={classes.files} aria-label={t('backup.list.files')}>
            {files.map(({ name, at, bytes }) => (
              <li key={name}>
                <span className={classes.mono}>{name}</span>
                <span className={classes.muted}>
                  <Moment at={at} /> · {formatBytes(bytes, locale)}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Group gap="xs">
        <Button loading={download.isPending} onClick={() => download.mutate()}>
          {t('backup.list.download')}
        </Button>
        <Button variant="default" loading={running || run.isPending} onClick={() => run.mutate()}>
          {t('backup.list.run')}
        </Button>
      </Group>
    </Stack>
  );
}

function LastResult({ last, isRunning }: { last: BackupResult | null; isRunning: boolean }) {
  const { t } = useTranslation();
  const locale = useLocale();
  if (isRunning) return <StatusLabel tone="busy" word={t('backup.list.running')} />;
  if (!last) return <StatusLabel tone="off" word={t('backup.list.none')} />;
  const { ok, at, bytes, failure, storage, error } = last;
  if (ok)
    return (
      <div>
        <StatusLabel tone="ok" word={t('backup.list.done')} />{' '}
        <Text span size="sm" c="dimmed">
          <Moment at={at} /> · {formatBytes(bytes, locale)}
        </Text>
      </div>
    );
  const why =
    storage === '' ? t(`backup.failure.${failure === '' ? 'other' : failure}`) : t(`cloud.failure.${storage}`);
  return (
    <div role="alert">
      <StatusLabel tone="bad" word={t('backup.list.failed')} />{' '}
      <Text span size="sm" c="dimmed">
        <Moment at={at} />
      </Text>
      <Text size="sm">{why}</Text>
      <Text size="xs" c="dimmed">
        {error}
      </Text>
    </div>
  );
}
