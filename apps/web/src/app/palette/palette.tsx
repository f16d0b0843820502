import { Modal, TextInput } from '@mantine/core';
import { type ComponentType, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PaletteEntry } from '../../lib/feature.ts';
import { findEntries } from './find-entries.ts';
import classes from './palette.module.css';
import { loadPaletteSources, type PaletteSource, usePaletteEntries } from './use-palette-entries.ts';

/** Loads the palette with the entries of all features. */
export async function loadPalette(): Promise<ComponentType<{ onClose: () => void }>> {
  const sources = await loadPaletteSources();
  return ({ onClose }) => <Palette sources={sources} onClose={onClose} />;
}

interface PaletteProps {
  sources: readonly PaletteSource[];
  onClose: () => void;
}

/** Command palette: a dialog with a combobox whose list is always open. */
function Palette({ sources, onClose }: PaletteProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('palette.title')}
      closeButtonProps={{ 'aria-label': t('palette.close') }}
      yOffset="10vh"
      transitionProps={{ duration: 0 }}
      // PaletteButton restores the focus at once. A later restore would steal it from a palette that was reopened.
      returnFocus={false}
    >
      <Search sources={sources} onClose={onClose} />
    </Modal>
  );
}

function Search({ sources, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const listId = useId();
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
  }, []);
  const found = findEntries(usePaletteEntries(sources), query);
  const active = Math.min(chosen, found.length - 1);
  const optionId = (index: number) => `${listId}-${index}`;
  useEffect(() => {
    // scrollIntoView returns a promise in newer browsers, and an effect must not return one.
    void document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, active]);
  const run = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that confirms an IME composition must not select an entry.
    if (event.nativeEvent.isComposing) return;
    const last = found.length - 1;
    const steps: Record<string, () => void> = {
      ArrowDown: () => setChosen(active >= last ? 0 : active + 1),
      ArrowUp: () => setChosen(active <= 0 ? last : active - 1),
      PageDown: () => setChosen(Math.min(last, active + 8)),
      PageUp: () => setChosen(Math.max(0, active - 8)),
      Enter: () => run(found[active]),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  };
  return (
    <>
      <TextInput
        ref={field}
        data-autofocus
        aria-label={t('palette.label')}
        placeholder={t('palette.placeholder')}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? optionId(active) : undefined}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={({ currentTarget }) => {
          setQuery(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label={t('palette.label')} className={classes.list}>
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the focused field handles the keys
          <div
            key={entry.id}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={classes.option}
            onClick={() => run(entry)}
          >
            <span className={classes.icon}>{entry.icon && <entry.icon size={16} aria-hidden />}</span>
            <span className={classes.title}>{entry.title}</span>
            <span className={classes.kind}>{entry.kind}</span>
          </div>
        ))}
      </div>
      <p role="status" className={classes.status} data-keys={found.length > 0 || undefined}>
        {found.length === 0 ? t('palette.none') : t('palette.keys')}
      </p>
    </>
  );
}
