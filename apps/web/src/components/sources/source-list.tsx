import { ActionIcon, Text } from '@mantine/core';
import type { Source } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { IconArrowDown, IconArrowUp, IconX } from '../ui/theme/icons.ts';
import { useProbeText } from './probe-text.ts';
import classes from './sources.module.css';

/** Chosen sources in playing order. */
export function SourceList({ files, onChange }: { files: readonly Source[]; onChange: (files: Source[]) => void }) {
  const { t } = useTranslation();
  const probeLine = useProbeText();
  const isOne = files.length === 1;
  const move = (from: number, to: number) => {
    const rest = files.filter((_file, index) => index !== from);
    const moved = files[from];
    if (moved) onChange([...rest.slice(0, to), moved, ...rest.slice(to)]);
  };
  return (
    <ol className={classes.list} aria-label={t('source.chosen')}>
      {files.map((file, index) => (
        // The same file may play twice, so its id alone is no key.
        // biome-ignore lint/suspicious/noArrayIndexKey: the position is part of a row's identity
        <li key={`${file.uuid}-${index}`} className={classes.row}>
          {!isOne && <span className={classes.number}>{index + 1}</span>}
          <div className={classes.facts}>
            <Text size="sm" fw={500} className={classes.name}>
              {file.name}
            </Text>
            <Text size="sm" c="dimmed">
              {probeLine(file)}
            </Text>
          </div>
          {!isOne && (
            <div className={classes.tools}>
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={index === 0}
                aria-label={t('source.up', { name: file.name })}
                onClick={() => move(index, index - 1)}
              >
                <IconArrowUp size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={index === files.length - 1}
                aria-label={t('source.down', { name: file.name })}
                onClick={() => move(index, index + 1)}
              >
                <IconArrowDown size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('source.remove', { name: file.name })}
                onClick={() => onChange(files.filter((_file, place) => place !== index))}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}
