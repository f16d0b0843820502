import { Button, Checkbox, FileInput, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import {
  type ImportFormat,
  type ImportItem,
  type ImportReport,
  importFormats,
  importLimits,
  importsApi,
} from '@weir/contract';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { client } from '../../lib/api.ts';
import classes from './backup.module.css';
import { applyImport, importRefusalOf, isRefused } from './backup-queries.ts';

const serverNames: Record<ImportFormat, string> = {
  srs: 'SRS',
  mediamtx: 'MediaMTX',
  'nginx-rtmp': 'nginx-rtmp',
  restreamer: 'Restreamer',
};

/** Configuration file of another server, then the report, then the import. Nothing changes before the last confirmation. */
export function ImportPanel() {
  const { t } = useTranslation();
  const [format, setFormat] = useState<ImportFormat>('srs');
  const [file, setFile] = useState<File | null>(null);
  const [replaces, setReplaces] = useState(false);
  const [fault, setFault] = useState<'fileMissing' | 'fileTooLarge'>();
  const [isConfirming, setIsConfirming] = useState(false);
  const check = useMutation({
    mutationFn: async (chosen: File) => {
      const wish = { format, text: await chosen.text(), replaces };
      return { wish, report: await client.call(importsApi.inspect, wish) };
    },
    meta: { handles: isRefused },
  });
  const apply = useMutation({
    mutationFn: applyImport,
    meta: { handles: isRefused },
    // Every page may show something else now.
    onSuccess: () => window.location.reload(),
    onError: () => setIsConfirming(false),
  });
  const startAgain = () => {
    setFault(undefined);
    check.reset();
    apply.reset();
  };
  const begin = () => {
    const found = !file ? 'fileMissing' : file.size > importLimits.fileCharacters ? 'fileTooLarge' : undefined;
    setFault(found);
    if (file && !found) check.mutate(file);
  };
  const checked = check.data;
  const refusal = apply.error ?? check.error;
  if (apply.isPending || apply.isSuccess)
    return (
      <div role="status">
        <Notice tone="info" title={t('imports.restarting')}>
          <Text size="sm">{t('imports.restartingText')}</Text>
        </Notice>
      </div>
    );
  return (
    <Stack gap="md">
      {!checked && (
        <>
          <NativeSelect
            size="md"
            label={t('imports.format')}
            description={t('imports.formatHelp')}
            value={format}
            data={importFormats.map((each) => ({ value: each, label: serverNames[each] }))}
            onChange={({ currentTarget }) => {
              setFormat(importFormats.find((each) => each === currentTarget.value) ?? 'srs');
              startAgain();
            }}
          />
          <FileInput
            size="md"
            label={t('imports.file')}
            description={t(`imports.files.${format}`)}
            placeholder={t('imports.choose')}
            classNames={{ placeholder: classes.muted }}
            value={file}
            error={fault && t(`imports.${fault}`)}
            onChange={(chosen) => {
              setFile(chosen);
              startAgain();
            }}
          />
          <Checkbox
            label={t('imports.replaces')}
            description={t('imports.replacesHelp')}
            checked={replaces}
            onChange={({ currentTarget }) => setReplaces(currentTarget.checked)}
          />
        </>
      )}
      {refusal !== null && isRefused(refusal) && (
        <div role="alert">
          <Notice tone="bad" title={importRefusalOf(t, refusal)}>
            <Text size="sm">{t('imports.unchanged')}</Text>
          </Notice>
        </div>
      )}
      {checked && <ReportView report={checked.report} />}
      <Group gap="xs">
        {checked ? (
          <>
            {checked.report.taken.length > 0 && (
              <Button onClick={() => setIsConfirming(true)}>{t('imports.apply')}</Button>
            )}
            <Button variant="default" onClick={startAgain}>
              {t('helper.cancel')}
            </Button>
          </>
        ) : (
          <Button variant="default" loading={check.isPending} onClick={begin}>
            {t('imports.check')}
          </Button>
        )}
      </Group>
      {checked && (
        <ConfirmDialog
          opened={isConfirming}
          title={t('imports.confirmTitle')}
          text={t('imports.confirmText')}
          action={t('imports.apply')}
          busy={apply.isPending}
          onConfirm={() => apply.mutate(checked.wish)}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </Stack>
  );
}

function ReportView({ report: { taken, left } }: { report: ImportReport }) {
  const { t } = useTranslation();
  return (
    <>
      {taken.length > 0 ? (
        <ItemList title={t('imports.taken')} items={taken} />
      ) : (
        <Notice tone="warn" title={t('imports.nothing')} />
      )}
      {left.length > 0 && <ItemList title={t('imports.left')} items={left} />}
    </>
  );
}

/** A hostile file can have thousands. */
const mostShown = 200;

function ItemList({ title, items }: { title: string; items: readonly ImportItem[] }) {
  const { t } = useTranslation();
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className={classes.plan}>
      <Title order={3} id={headingId}>
        {title}
      </Title>
      <ul className={classes.items}>
        {items.slice(0, mostShown).map(({ subject, name, note, fact }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items never move, and a file may name one twice
          <li key={at}>
            <span className={classes.itemName}>{t(`imports.subject.${subject}`, { name })}</span>
            {note !== '' && <span className={classes.muted}>{t(`imports.note.${note}`, { fact })}</span>}
          </li>
        ))}
      </ul>
      {items.length > mostShown && (
        <Text size="sm" c="dimmed">
          {t('imports.more', { n: items.length - mostShown })}
        </Text>
      )}
    </section>
  );
}
