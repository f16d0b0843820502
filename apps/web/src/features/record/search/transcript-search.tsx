import { CloseButton, Stack, TextInput } from '@mantine/core';
import { type Recording, transcriptSearchLimits } from '@weir/contract';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OwnDiskNote } from '../../../components/pair/own-disk-note.tsx';
import { IconSearch } from '../icons.ts';
import classes from './search.module.css';
import { TranscriptHits } from './transcript-hits.tsx';

interface WordSearchProps {
  recordings: readonly Recording[];
  onOpen: (uuid: string, second: number) => void;
  /** What stands there while nothing is looked for. */
  children: ReactNode;
}

/** So long nobody types before the server is asked. */
const restMs = 250;

/** One box for all that was said and shown in recordings; what it finds takes the place of the list. */
export function TranscriptSearch({ recordings, onOpen, children }: WordSearchProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), typed.trim() === '' ? 0 : restMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') setAsked(typed.trim());
    if (event.key === 'Escape' && typed !== '') {
      event.preventDefault();
      setTyped('');
    }
  };
  return (
    <Stack gap="md" onKeyDown={moveByArrow}>
      <TextInput
        className={classes.box}
        type="search"
        enterKeyHint="search"
        label={t('record.words.label')}
        placeholder={t('record.words.placeholder')}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          typed !== '' && <CloseButton size="sm" aria-label={t('record.words.clear')} onClick={() => setTyped('')} />
        }
        autoComplete="off"
        spellCheck={false}
        maxLength={transcriptSearchLimits.queryCharacters}
        data-word-search
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <OwnDiskNote />
      {asked === '' ? children : <TranscriptHits query={asked} recordings={recordings} onOpen={onOpen} />}
    </Stack>
  );
}

/** Down from the box to the first hit and on; up again. */
function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || !(event.target instanceof HTMLElement)) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-word-search], [data-hit]')];
  const at = stops.indexOf(event.target);
  const next = at < 0 ? undefined : stops[at + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
