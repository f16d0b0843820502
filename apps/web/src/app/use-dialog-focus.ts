import { useEffect } from 'react';

const controls = [
  'a[href]',
  '[tabindex="0"]',
  ...['button', 'input', 'select', 'textarea'].map((tag) => `${tag}:not(:disabled)`),
];

/** The open dialog that covers all others. */
function topDialog(): HTMLElement | undefined {
  const dialogs = [...document.querySelectorAll<HTMLElement>('[aria-modal="true"]')];
  return dialogs.filter((dialog) => dialog.checkVisibility()).at(-1);
}

/**
 * Brings the focus back into an open dialog. A button that is disabled while its work runs, or goes with the form that it sent, loses the
 * focus to the page; from there Tab would lead to controls behind the dialog, and the dialog's own trap watches only what happens inside.
 */
export function useDialogFocus(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Tab' || event.defaultPrevented || document.activeElement !== document.body) return;
      // The browser goes on where the focus was lost, which usually is the next control of the dialog.
      setTimeout(() => {
        const dialog = topDialog();
        if (!dialog || dialog.contains(document.activeElement)) return;
        const inside = [...dialog.querySelectorAll<HTMLElement>(controls.join())].filter((one) =>
          one.checkVisibility(),
        );
        inside.at(event.shiftKey ? -1 : 0)?.focus();
      });
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
