import { Button, Group, Text, Textarea } from '@mantine/core';
import { transcriptLimits } from '@weir/contract';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './queues.module.css';

interface CueEditorProps {
  text: string;
  /** Its segment left the queue while somebody typed. */
  isLate: boolean;
  isSaving: boolean;
  onChange: (text: string) => void;
  onSave: () => void;
  onClose: () => void;
}

/** The text of a cue, to be changed before it is shown. */
export function CueEditor({ text, isLate, isSaving, onChange, onSave, onClose }: CueEditorProps) {
  const { t } = useTranslation();
  const press = (event: KeyboardEvent) => {
    // An input method uses the same keys to choose a character.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (!isLate) onSave();
    }
    if (event.key === 'Escape') onClose();
  };
  return (
    <div className={classes.editor}>
      <Textarea
        aria-label={t('transcript.edit.label')}
        maxLength={transcriptLimits.textCharacters}
        rows={2}
        value={text}
        // The person just asked to type here, and has seconds for it.
        autoFocus
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={press}
      />
      {isLate && (
        <Text size="xs" role="status">
          {t('transcript.edit.late')}
        </Text>
      )}
      <Group gap="xs">
        <Button size="xs" loading={isSaving} disabled={isLate} onClick={onSave}>
          {t('helper.update')}
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          {t('helper.cancel')}
        </Button>
      </Group>
    </div>
  );
}
