import { Button } from '@mantine/core';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconSearch } from '../../components/ui/theme/icons.ts';
import { lazyScreen } from '../../lib/lazy.ts';
import classes from './palette-button.module.css';

const palette = lazyScreen(async () => (await import('./palette.tsx')).loadPalette());

/** Opens the palette by a button or with Ctrl/⌘ + K. The palette is loaded on first use, and begins with what was typed until then. */
export function PaletteButton() {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const close = () => {
    setIsOpen(false);
    setTyped('');
  };
  const left = useRef<Element | null>(null);
  useEffect(() => {
    if (isOpen) left.current = document.activeElement;
    else if (left.current instanceof HTMLElement) left.current.focus();
  }, [isOpen]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isMeant = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isMeant || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      setIsOpen((before) => !before);
      setTyped('');
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        className={classes.button}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          <kbd className={classes.keys} aria-hidden>
            {/Mac|iP/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'}
          </kbd>
        }
        aria-keyshortcuts="Control+K Meta+K"
        title={t('palette.hint')}
        onPointerEnter={() => void palette.preload()}
        onClick={() => {
          setIsOpen(true);
        }}
      >
        {t('palette.open')}
      </Button>
      {isOpen && (
        <Suspense fallback={<LoadingPalette typed={typed} onType={setTyped} onClose={close} />}>
          <palette.Component typed={typed} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

interface LoadingPaletteProps {
  typed: string;
  onType: (typed: string) => void;
  onClose: () => void;
}

/** Takes what is typed while the palette loads. */
function LoadingPalette({ typed, onType, onClose }: LoadingPaletteProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
  }, []);
  return (
    <div className={classes.overlay}>
      <div role="dialog" aria-modal aria-label={t('palette.title')} className={classes.box}>
        <p className={classes.title}>{t('palette.title')}</p>
        <input
          ref={field}
          className={classes.field}
          aria-label={t('palette.label')}
          placeholder={t('palette.placeholder')}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ currentTarget }) => onType(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && onClose()}
        />
      </div>
    </div>
  );
}
