import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../components/ui/data-table.tsx';
import { Moment } from '../../components/ui/moment.tsx';
import { StatusLabel } from '../../components/ui/status-label.tsx';
import { formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { useCopy } from '../../lib/notify.ts';
import { streamLabel } from '../streams/stream-label.ts';
import { previewUrl } from './cloud-kind.ts';

interface CloudFacts {
  readonly uuid: string;
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly progress: boolean;
  readonly update: string;
  readonly nn: number;
  readonly duration: number;
  readonly size: number;
  readonly waiting: number;
  readonly lost: number;
}

/** What both lists tell of a recording. */
export function useCloudColumns<Row extends CloudFacts>(): Column<Row>[] {
  const { t } = useTranslation();
  const locale = useLocale();
  return [
    { title: '#', isHiddenOnCards: true, render: (_row, index) => index + 1 },
    { title: t('cloud.task.stream'), isName: true, render: (row) => streamLabel(row) },
    { title: t('cloud.task.status'), render: (row) => <CloudState {...row} /> },
    { title: t('cloud.task.update'), render: ({ update }) => <Moment at={update} /> },
    { title: t('cloud.task.duration'), render: ({ duration }) => formatDuration(duration, locale) },
    { title: t('cloud.task.size'), render: ({ size }) => `${(size / 1024 / 1024).toFixed(1)} MB` },
    { title: t('cloud.task.slices'), render: ({ nn }) => nn },
  ];
}

function CloudState({ progress, waiting, lost }: CloudFacts) {
  const { t } = useTranslation();
  return (
    <Stack gap={2} title={progress ? t('cloud.task.tip') : undefined}>
      <StatusLabel tone={progress ? 'ok' : 'off'} word={progress ? t('cloud.task.ing') : t('cloud.task.done')} />
      {waiting > 0 && (
        <Text size="xs" c="dimmed">
          {t('cloud.task.waiting', { count: waiting })}
        </Text>
      )}
      {lost > 0 && (
        <Text size="xs" c="red">
          {t('cloud.task.lost', { count: lost })}
        </Text>
      )}
    </Stack>
  );
}

/** Copy the address, look at it in a page of its own. */
export function CloudActions({ url, name }: { url: string; name: string }) {
  const { t } = useTranslation();
  const copy = useCopy();
  return (
    <>
      <Button variant="default" size="xs" aria-label={t('cloud.task.copyWhat', { name })} onClick={() => copy(url)}>
        {t('cloud.task.copy')}
      </Button>
      <Button
        variant="default"
        size="xs"
        component="a"
        href={previewUrl(url)}
        target="_blank"
        rel="noreferrer"
        aria-label={t('cloud.task.previewWhat', { name })}
      >
        {t('cloud.task.preview')}
      </Button>
    </>
  );
}

export function CloudLink({ href, children }: { href: string; children: string }) {
  return (
    <Anchor href={href} target="_blank" rel="noreferrer" size="sm">
      {children}
    </Anchor>
  );
}
