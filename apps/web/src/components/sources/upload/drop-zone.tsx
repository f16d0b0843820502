import { Button, Group, Text } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { IconUpload } from '../../ui/theme/icons.ts';
import classes from '../sources.module.css';

interface DropZoneProps {
  file: File | undefined;
  onFile: (file: File | undefined) => void;
  error: string | undefined;
  /** How names of files may end. */
  endings: readonly string[];
}

/** Takes a file of this computer, chosen or dropped. */
export function DropZone({ file, onFile, error, endings }: DropZoneProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    onFile(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button inside does the same
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        className={classes.hidden}
        accept={endings.join(',')}
        aria-label={t('source.chooseFile')}
        tabIndex={-1}
        onChange={(event) => onFile(event.currentTarget.files?.[0])}
      />
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconUpload size={16} aria-hidden />}
          onClick={() => input.current?.click()}
        >
          {t('source.chooseFile')}
        </Button>
        {file ? (
          <Text size="sm" className={classes.name}>
            {file.name} · {formatBytes(file.size, locale)}
          </Text>
        ) : (
          <Text size="sm" c="dimmed">
            {t('source.dropHere', { endings: endings.join(' ') })}
          </Text>
        )}
      </Group>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" mt="xs" role="alert">
          {error}
        </Text>
      )}
    </div>
  );
}
