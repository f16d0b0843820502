import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sourceApi, type UploadState } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { client } from '../../../lib/api.ts';
import { formatBytes } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { toPercent } from '../percent.ts';
import { uploadsQuery } from '../source-queries.ts';
import classes from '../sources.module.css';

/** Uploads that broke off, perhaps in another browser. */
export function UnfinishedUploads({ uploads }: { uploads: readonly UploadState[] }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const queries = useQueryClient();
  const discard = useMutation({
    mutationFn: (uuid: string) => client.call(sourceApi.cancelUpload, { uuid }),
    onSettled: () => queries.invalidateQueries(uploadsQuery),
  });
  if (uploads.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={500}>
        {t('source.unfinished')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('source.unfinishedHelp')}
      </Text>
      <ul className={classes.jobs} aria-label={t('source.unfinished')}>
        {uploads.map(({ uuid, name, size, offset }) => (
          <li key={uuid} className={classes.job}>
            <Group justify="space-between" gap="xs">
              <Text size="sm" className={classes.name}>
                {name} · {toPercent(offset, size)}% / {formatBytes(size, locale)}
              </Text>
              <Button
                size="compact-sm"
                variant="default"
                disabled={discard.isPending}
                onClick={() => discard.mutate(uuid)}
              >
                {t('source.discard')}
              </Button>
            </Group>
          </li>
        ))}
      </ul>
    </div>
  );
}
