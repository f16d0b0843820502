import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type LibraryItem, type Source, sourceApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../lib/api.ts';
import { formatBytes } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { notify } from '../../lib/notify.ts';
import { Moment } from '../ui/facts/moment.tsx';
import { ConfirmDialog } from '../ui/feedback/confirm-dialog.tsx';
import { EmptyState } from '../ui/feedback/empty-state.tsx';
import { StaleChip } from '../ui/feedback/stale-chip.tsx';
import { useProbeText } from './probe-text.ts';
import { type SourceFormProps, toSourceRef } from './source-form.ts';
import { libraryQuery, sourcesKey } from './source-queries.ts';
import classes from './sources.module.css';

/** Files of earlier uses that are still on the server. */
export function LibraryPicker({ isBusy, onPick, taken }: SourceFormProps & { taken: readonly Source[] }) {
  const { t } = useTranslation();
  const library = useQuery(libraryQuery);
  const [doomed, setDoomed] = useState<LibraryItem>();
  const films = library.data?.filter(({ source }) => source.type !== 'stream') ?? [];
  return (
    <>
      <StaleChip {...library} />
      {library.data && films.length === 0 && (
        <EmptyState title={t('source.libraryEmpty')} text={t('source.libraryEmptyText')} />
      )}
      {films.length > 0 && (
        <ul className={classes.jobs} aria-label={t('source.library')}>
          {films.map((item) => (
            <LibraryRow
              key={item.source.uuid}
              item={item}
              isBusy={isBusy}
              isTaken={taken.some(({ uuid }) => uuid === item.source.uuid)}
              onUse={() => onPick(toSourceRef(item.source, item.source.type, item.source.path)).catch(() => undefined)}
              onDelete={() => setDoomed(item)}
            />
          ))}
        </ul>
      )}
      <DeleteDialog item={doomed} onClose={() => setDoomed(undefined)} />
    </>
  );
}

interface LibraryRowProps {
  item: LibraryItem;
  isBusy: boolean;
  isTaken: boolean;
  onUse: () => void;
  onDelete: () => void;
}

function LibraryRow({ item: { source, created, usedBy }, isBusy, isTaken, onUse, onDelete }: LibraryRowProps) {
  const { t } = useTranslation();
  const probeLine = useProbeText();
  return (
    <li className={classes.job}>
      <Text size="sm" fw={500} className={classes.name}>
        {source.name}
      </Text>
      <Text size="sm" c="dimmed">
        {probeLine(source)}
      </Text>
      <Group gap="xs">
        <Button size="compact-sm" disabled={isBusy} onClick={onUse}>
          {isTaken ? t('source.useAgain') : t('source.use')}
        </Button>
        <Button size="compact-sm" variant="default" disabled={usedBy.length > 0} onClick={onDelete}>
          {t('source.delete')}
        </Button>
        <Text size="sm" c="dimmed">
          {usedBy.length > 0 ? t('source.inUse') : <Moment at={created} />}
        </Text>
      </Group>
    </li>
  );
}

function DeleteDialog({ item, onClose }: { item: LibraryItem | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: (uuid: string) => client.call(sourceApi.removeFromLibrary, { uuid }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: sourcesKey });
      notify.success(t('source.deleted'));
    },
    onSettled: onClose,
  });
  const { name = '', size = 0 } = item?.source ?? {};
  return (
    <ConfirmDialog
      opened={item !== undefined}
      title={t('source.deleteTitle', { name })}
      text={t('source.deleteText', { size: formatBytes(size, locale) })}
      action={t('source.delete')}
      busy={remove.isPending}
      onConfirm={() => item && remove.mutate(item.source.uuid)}
      onClose={onClose}
    />
  );
}
