import { Button, FileInput, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { backupExtension, type RestorePlan } from '@weir/contract';
import type { TFunction } from 'i18next';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { SecretField } from '../../components/ui/fields/secret-field.tsx';
import { formatBytes } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import classes from './backup.module.css';
import {
  discardBackup,
  inspectBackup,
  isRefused,
  type RestoreAuthority,
  refusalOf,
  restoreBackup,
  uploadBackup,
} from './backup-queries.ts';

interface RestorePanelProps {
  authority: () => RestoreAuthority;
  /** The server has the settings of the backup, and perhaps another password. */
  onRestored: () => void;
}

/** File and key, then the plan, then the restore. Nothing changes before the last confirmation. */
export function RestorePanel({ authority, onRestored }: RestorePanelProps) {
  const { t } = useTranslation();
  const [file, setFile] = useState<File | null>(null);
  const [key, setKey] = useState('');
  const [percent, setPercent] = useState<number>();
  const [isConfirming, setIsConfirming] = useState(false);
  const [missing, setMissing] = useState<'file' | 'key'>();
  const check = useMutation({
    mutationFn: async (chosen: File): Promise<RestorePlan> => {
      setPercent(0);
      await uploadBackup(chosen, authority(), setPercent);
      setPercent(undefined);
      return inspectBackup(key.trim(), authority());
    },
    meta: { handles: isRefused },
    onSettled: () => setPercent(undefined),
  });
  const restore = useMutation({
    mutationFn: (plan: RestorePlan) => restoreBackup(plan.id, authority()),
    meta: { handles: isRefused },
    onSuccess: onRestored,
    onError: () => setIsConfirming(false),
  });
  const begin = () => {
    const absent = !file ? 'file' : key.trim() === '' ? 'key' : undefined;
    setMissing(absent);
    if (file && !absent) check.mutate(file);
  };
  const startAgain = () => {
    check.reset();
    restore.reset();
    void discardBackup(authority());
  };
  const plan = check.data;
  const refusal = restore.error ?? check.error;
  if (restore.isPending || restore.isSuccess)
    return (
      <div role="status">
        <Notice tone="info" title={t('backup.restore.restarting')}>
          <Text size="sm">{t('backup.restore.restartingText')}</Text>
        </Notice>
      </div>
    );
  return (
    <Stack gap="md">
      {!plan && (
        <>
          <FileInput
            size="md"
            label={t('backup.restore.file')}
            placeholder={t('backup.restore.choose')}
            classNames={{ placeholder: classes.muted }}
            accept={`${backupExtension},.age`}
            value={file}
            error={missing === 'file' && t('backup.restore.fileMissing')}
            onChange={(chosen) => {
              setFile(chosen);
              setMissing(undefined);
              check.reset();
            }}
          />
          <SecretField
            label={t('backup.restore.key')}
            description={t('backup.restore.keyHelp')}
            size="sm"
            value={key}
            error={missing === 'key' ? t('backup.restore.keyMissing') : undefined}
            onChange={(typed) => {
              setKey(typed);
              setMissing(undefined);
            }}
          />
        </>
      )}
      {refusal !== null && isRefused(refusal) && (
        <div role="alert">
          <Notice tone="bad" title={refusalOf(t, refusal)}>
            <Text size="sm">{t('backup.restore.unchanged')}</Text>
          </Notice>
        </div>
      )}
      {plan && <RestorePlanView plan={plan} />}
      <Group gap="xs">
        {plan ? (
          <>
            <Button onClick={() => setIsConfirming(true)}>{t('backup.restore.restore')}</Button>
            <Button variant="default" onClick={startAgain}>
              {t('helper.cancel')}
            </Button>
          </>
        ) : (
          <Button variant="default" loading={check.isPending} onClick={begin}>
            {t('backup.restore.check')}
          </Button>
        )}
        <Text size="sm" c="dimmed" role="status">
          {percent !== undefined && t('backup.restore.uploading', { percent })}
          {check.isPending && percent === undefined && t('backup.restore.checking')}
        </Text>
      </Group>
      {plan && (
        <ConfirmDialog
          opened={isConfirming}
          title={t('backup.restore.confirmTitle')}
          text={t('backup.restore.confirmText')}
          action={t('backup.restore.restore')}
          busy={restore.isPending}
          onConfirm={() => restore.mutate(plan)}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </Stack>
  );
}

/** What a restore changes, in words. */
function RestorePlanView({ plan }: { plan: RestorePlan }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const headingId = useId();
  const { createdAt, version, bytes, changes, password, apiSecret } = plan;
  const others = otherLines(t, plan);
  return (
    <section aria-labelledby={headingId} className={classes.plan}>
      <Title order={3} id={headingId}>
        {t('backup.plan.title')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('backup.plan.from')} <Moment at={createdAt} /> · Weir {version} · {formatBytes(bytes, locale)}
      </Text>
      {password && (
        <Notice tone="warn" title={t('backup.plan.password')}>
          {apiSecret && <Text size="sm">{t('backup.plan.apiSecret')}</Text>}
        </Notice>
      )}
      {!password && apiSecret && <Notice tone="warn" title={t('backup.plan.apiSecret')} />}
      {changes.length === 0 && others.length === 0 ? (
        <Text size="sm">{t('backup.plan.nothing')}</Text>
      ) : (
        <dl className={classes.changes}>
          {changes.map((change) => (
            <div key={change.part}>
              <dt>{t(`backup.part.${change.part}`)}</dt>
              <dd>
                {(['added', 'changed', 'removed'] as const)
                  .filter((what) => change[what] > 0)
                  .map((what) => t(`backup.plan.${what}`, { n: change[what] }))
                  .join(t('backup.plan.comma'))}
              </dd>
            </div>
          ))}
          {others.map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      <Text size="sm" c="dimmed">
        {t('backup.plan.kept')}
      </Text>
    </section>
  );
}

function otherLines(t: TFunction, { certificate, broadcasts, transcripts, recordings }: RestorePlan) {
  const counted = (name: string, count: RestorePlan['broadcasts']) =>
    count && count.before !== count.after ? [{ name, text: t('backup.plan.count', count) }] : [];
  return [
    ...(certificate === 'replaced'
      ? [{ name: t('backup.plan.certificate'), text: t('backup.plan.certificateReplaced') }]
      : []),
    ...counted(t('backup.plan.broadcasts'), broadcasts),
    ...counted(t('backup.plan.transcripts'), transcripts),
    ...(recordings ? [] : [{ name: t('backup.part.recordings'), text: t('backup.plan.recordingsKept') }]),
  ];
}
