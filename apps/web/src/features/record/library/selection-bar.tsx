import { Button, Checkbox, Text } from '@mantine/core';
import type { Recording } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import classes from '../record.module.css';
import { isOver } from './library-view.ts';

interface SelectionBarProps {
  found: readonly Recording[];
  chosen: readonly Recording[];
  onPick: (uuids: readonly string[]) => void;
  onRemove: () => void;
}

/** All that were found at once, and what to do with those that are ticked. */
export function SelectionBar({ found, chosen, onPick, onRemove }: SelectionBarProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const over = found.filter(isOver);
  const bytes = (list: readonly Recording[]) =>
    formatBytes(
      list.reduce((sum, { totalBytes }) => sum + totalBytes, 0),
      locale,
    );
  const isAll = over.length > 0 && chosen.length === over.length;
  return (
    <div className={classes.selection}>
      <Checkbox
        label={t('record.library.pickAll', { count: over.length })}
        checked={isAll}
        indeterminate={chosen.length > 0 && !isAll}
        disabled={over.length === 0}
        onChange={() => onPick(isAll ? [] : over.map(({ uuid }) => uuid))}
      />
      {chosen.length > 0 ? (
        <Button variant="default" size="xs" onClick={onRemove}>
          {t('record.library.removePicked', { count: chosen.length, size: bytes(chosen) })}
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          {t('record.library.total', { count: found.length, size: bytes(found) })}
        </Text>
      )}
    </div>
  );
}
