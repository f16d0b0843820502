import { Button } from '@mantine/core';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconSearch } from '../../components/ui/theme/icons.ts';
import { lazyScreen } from '../../lib/lazy.ts';

const palette = lazyScreen(async () => (await import('./palette.tsx')).loadPalette());

/** Opens the palette by a button or with Ctrl/⌘ + K. The palette is loaded on first use. */
export function PaletteButton() {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
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
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconSearch size={16} aria-hidden />}
        aria-keyshortcuts="Control+K Meta+K"
        title={t('palette.hint')}
        onClick={() => {
          setIsOpen(true);
        }}
      >
        {t('palette.open')}
      </Button>
      {isOpen && (
        <Suspense>
          <palette.Component onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
