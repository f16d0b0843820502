import { CloseButton } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import classes from './talk.module.css';

export function TipList({ tips: { shown, dismiss } }: { tips: Tips }) {
  const { t } = useTranslation();
  return (
    <div className={classes.tips} role="status">
      {shown.map(({ id, tone, text }) => (
        <div key={id} className={classes.tip}>
          {tone === 'bad' ? (
            <Notice tone="bad" title={t('talk.error')}>
              {text}
            </Notice>
          ) : (
            <Notice tone={tone} title={text} />
          )}
          <CloseButton size="sm" aria-label={t('errs.dismiss')} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}

/** `bad`: an error that stays until dismissed. Other tips disappear after a while. */
interface Tip {
  readonly tone: 'info' | 'warn' | 'bad';
  readonly text: string;
}

interface Tips {
  readonly shown: readonly (Tip & { readonly id: number })[];
  /** Shows the same text only once. */
  readonly show: (tip: Tip) => void;
  readonly dismiss: (id: number) => void;
}

const tipMs = 10_000;
const mostShown = 4;

export function useTips(): Tips {
  const [shown, setShown] = useState<Tips['shown']>([]);
  const count = useRef(0);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const all = timers.current;
    return () => {
      for (const timer of all) clearTimeout(timer);
      all.clear();
    };
  }, []);
  const dismiss = useCallback((id: number) => setShown((tips) => tips.filter((tip) => tip.id !== id)), []);
  const show = useCallback(
    (tip: Tip) => {
      count.current += 1;
      const id = count.current;
      setShown((tips) => [...tips.filter(({ text }) => text !== tip.text), { ...tip, id }].slice(-mostShown));
      if (tip.tone === 'bad') return;
      const timer = setTimeout(() => {
        timers.current.delete(timer);
        dismiss(id);
      }, tipMs);
      timers.current.add(timer);
    },
    [dismiss],
  );
  return { shown, show, dismiss };
}
