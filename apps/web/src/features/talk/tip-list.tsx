import { CloseButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import classes from './talk.module.css';
import type { Tips } from './use-tips.ts';

/** Errors stay until they are dismissed; tips go after a while. */
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
