import { useEffect, useRef } from 'react';

const keys = new Set(['r', '\\', ' ']);

interface TalkKeys {
  readonly begin: () => void;
  readonly end: () => void;
}

/** Holding a key talks, unless somebody types or presses a button with it. */
export function useTalkKeys(isOn: boolean, { begin, end }: TalkKeys): void {
  const held = useRef('');
  useEffect(() => {
    if (!isOn) return;
    const release = () => {
      if (held.current !== '') end();
      held.current = '';
    };
    const onDown = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if (!keys.has(key) || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target, key)) return;
      event.preventDefault();
      if (event.repeat || held.current !== '') return;
      held.current = key;
      begin();
    };
    const onUp = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === held.current) release();
    };
    window.addEventListener('keydown', onDown);
    window.addEventListener('keyup', onUp);
    window.addEventListener('blur', release);
    return () => {
      window.removeEventListener('keydown', onDown);
      window.removeEventListener('keyup', onUp);
      window.removeEventListener('blur', release);
      release();
    };
  }, [isOn, begin, end]);
}

/** Somebody types there, or means another button. The button to talk says so of itself. */
function isElsewhere(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement) || target.dataset.talk !== undefined) return false;
  if (target.closest('input, textarea, select, [contenteditable="true"]')) return true;
  return key === ' ' && target.closest('button, a, [role="menuitem"], [role="log"]') !== null;
}
