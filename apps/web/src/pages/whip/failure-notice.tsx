import { useTranslation } from 'react-i18next';
import classes from './failure-notice.module.css';
import type { PublishFailure } from './publish-failure.ts';

/** What went wrong and what helps. */
export function FailureNotice({ failure: { kind, detail }, page }: { failure: PublishFailure; page: URL }) {
  const { t } = useTranslation();
  return (
    <div className={classes.notice} role="alert">
      <p className={classes.title}>{t(`whip.failureTitle.${kind}`)}</p>
      <p>{t(`whip.failureText.${kind}`, { host: page.hostname })}</p>
      {detail && <p className={classes.detail}>{t('player.said', { detail })}</p>}
    </div>
  );
}
