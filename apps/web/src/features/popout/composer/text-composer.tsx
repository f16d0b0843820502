import { Button, TextInput } from '@mantine/core';
import { talkLimits } from '@weir/contract';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './composer.module.css';

interface TextComposerProps {
  draft: string;
  onDraft: (draft: string) => void;
  /** False: it was not taken, and stays in the field. */
  onSend: (text: string) => boolean;
}

/** Text is always possible, whatever the microphone does. */
export function TextComposer({ draft, onDraft, onSend }: TextComposerProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const typed = useRef('');
  // Text that comes from elsewhere is there to be changed.
  useEffect(() => {
    if (draft !== typed.current && draft !== '') field.current?.focus();
    typed.current = draft;
  }, [draft]);
  const change = (text: string) => {
    typed.current = text;
    onDraft(text);
  };
  return (
    <form
      className={classes.text}
      onSubmit={(event) => {
        event.preventDefault();
        const text = draft.trim();
        if (text !== '' && onSend(text)) change('');
      }}
    >
      <TextInput
        ref={field}
        className={classes.field}
        size="md"
        aria-label={t('talk.text')}
        placeholder={t('talk.text')}
        value={draft}
        maxLength={talkLimits.textCharacters}
        autoComplete="off"
        enterKeyHint="send"
        onChange={(event) => change(event.currentTarget.value)}
      />
      <Button type="submit" size="md" disabled={draft.trim() === ''}>
        {t('talk.send')}
      </Button>
    </form>
  );
}
