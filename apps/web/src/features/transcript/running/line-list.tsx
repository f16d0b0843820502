import { ActionIcon, Button, Group, Text, Textarea } from '@mantine/core';
import { type TranscriptLine, transcriptLimits } from '@weir/contract';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { formatClock } from '../../../lib/format.ts';
import { IconPencil } from './icons.ts';
import classes from './running.module.css';
import { lineText } from './running-transcript.ts';

export interface LineEdit {
  readonly line: TranscriptLine;
  readonly text: string;
}

interface LineListProps {
  lines: readonly TranscriptLine[];
  /** Empty for the spoken language, the only one that can be edited. */
  language: string;
  growing: string;
  edit: LineEdit | undefined;
  isSaving: boolean;
  /** Languages that are translated again after an edit. */
  translations: number;
  onEdit: (edit: LineEdit | undefined) => void;
  onSave: () => void;
}

/** Sentences with their times. Those that viewers have not seen yet can be edited in place. */
export function LineList(props: LineListProps) {
  const { lines, language, growing, edit, onEdit } = props;
  const { t } = useTranslation();
  const onAir = lines.findLast(({ state }) => state === 'air')?.id;
  return (
    <ol className={classes.lines}>
      {lines.map((line) => {
        const text = lineText(line, language);
        if (edit?.line.id === line.id && language === '') return <EditedLine key={line.id} {...props} line={line} />;
        const isEditable = line.segment !== null && language === '';
        return (
          <li
            key={line.id}
            className={classes.line}
            data-state={line.state}
            data-on-air={line.id === onAir || undefined}
            {...(isEditable && { onDoubleClick: () => onEdit({ line, text: line.text }) })}
          >
            <time dateTime={line.at}>{formatClock(new Date(line.at))}</time>
            <div className={classes.words}>
              {line.cleared ? (
                <del>{text}</del>
              ) : (
                <p lang={language || undefined}>{text ?? t('transcript.running.untranslated')}</p>
              )}
              {(line.edited || line.cleared) && (
                <Text size="xs" c="dimmed">
                  {line.cleared ? t('transcript.cleared') : t('transcript.edited')}
                </Text>
              )}
            </div>
            {isEditable && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('transcript.running.edit', { text: line.text })}
                title={t('transcript.edit.button')}
                onClick={() => onEdit({ line, text: line.text })}
              >
                <IconPencil size={16} aria-hidden />
              </ActionIcon>
            )}
          </li>
        );
      })}
      {growing !== '' && language === '' && (
        <li className={classes.line} data-state="growing">
          <time />
          <p>{growing} …</p>
        </li>
      )}
    </ol>
  );
}

function EditedLine({ line, edit, isSaving, translations, onEdit, onSave }: LineListProps & { line: TranscriptLine }) {
  const { t } = useTranslation();
  const isLate = line.segment === null;
  const press = (event: KeyboardEvent) => {
    // An input method uses the same keys to choose a character.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (!isLate) onSave();
    }
    if (event.key === 'Escape') onEdit(undefined);
  };
  return (
    <li className={classes.line} data-editing>
      <time dateTime={line.at}>{formatClock(new Date(line.at))}</time>
      <div className={classes.words}>
        <Textarea
          classNames={{ input: classes.field }}
          aria-label={t('transcript.edit.label')}
          maxLength={transcriptLimits.textCharacters}
          rows={2}
          value={edit?.text ?? ''}
          // The user asked to type here and has only seconds.
          autoFocus
          onChange={(event) => onEdit({ line, text: event.currentTarget.value })}
          onKeyDown={press}
        />
        <Group gap="xs" mt="xs">
          <Button size="xs" loading={isSaving} disabled={isLate} onClick={onSave}>
            {t('helper.update')}
          </Button>
          <Button size="xs" variant="default" onClick={() => onEdit(undefined)}>
            {t('helper.cancel')}
          </Button>
          {isLate ? (
            <Text size="xs" role="status">
              {t('transcript.edit.late')}
            </Text>
          ) : (
            translations > 0 && (
              <Text size="xs" c="dimmed">
                {t('transcript.running.retranslates', { count: translations })}
              </Text>
            )
          )}
        </Group>
      </div>
    </li>
  );
}
