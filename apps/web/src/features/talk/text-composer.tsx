import { Button, Textarea } from '@mantine/core';
import { talkLimits } from '@weir/contract';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './composer.module.css';

interface TextComposerProps {
  draft: string;
  /** Recognized speech arrives here for correction. */
  isDraft: boolean;
  onDraft: (draft: string) => void;
  /** Returns false if the text was not accepted and must stay. */
  onSend: (text: string) => boolean;
}

/** Text input, which works without a microphone. */
export function TextComposer({ draft, isDraft, onDraft, onSend }: TextComposerProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  const typed = useRef('');
  // Text set from outside is meant to be edited, so focus the field.
  useEffect(() => {
    if (draft !== typed.current && draft !== '') field.current?.focus();
    typed.current = draft;
  }, [draft]);
  const change = (text: string) => {
    typed.current = text;
    onDraft(text);
  };
  const send = () => {
    const text = draft.trim();
    if (text !== '' && onSend(text)) change('');
  };
  // An input method uses Enter to choose a character.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className={classes.text}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        ref={field}
        className={classes.field}
        size="md"
        rows={1}
        classNames={{ input: classes.lines }}
        {...(isDraft && draft !== '' && { description: t('talk.checkText') })}
        aria-label={t('talk.text')}
        placeholder={t('talk.text')}
        value={draft}
        maxLength={talkLimits.textCharacters}
        autoComplete="off"
        enterKeyHint="send"
        onKeyDown={onKeyDown}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <Button type="submit" size="md" disabled={draft.trim() === ''}>
        {t('talk.send')}
      </Button>
    </form>
  );
}
