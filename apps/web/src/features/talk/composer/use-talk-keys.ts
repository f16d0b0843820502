import { useEffect, useRef } from 'react';

const talkKeys = new Set(['r', '\\', ' ']);

interface TalkKeys {
  readonly begin: () => void;
  readonly end: () => void;
}

/** Holding a key talks, unless somebody types or presses a button with it. */
export function useTalkKeys(isOn: boolean, keys: TalkKeys): void {
  const held = useRef('');
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    if (!isOn) return;
    const release = () => {
      if (held.current !== '') latest.current.end();
      held.current = '';
    };
    const onDown = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if (!talkKeys.has(key) || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target, key))
        return;
      event.preventDefault();
      if (event.repeat || held.current !== '') return;
      held.current = key;
      latest.current.begin();
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
  }, [isOn]);
}

/** Somebody types there, or means another button. The button to talk says so of itself. */
function isElsewhere(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement) || target.dataset.talk !== undefined) return false;
  if (target.closest('input, textarea, select, [contenteditable="true"]')) return true;
  return key === ' ' && target.closest('button, a, [role="menuitem"], [role="log"]') !== null;
}
