import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { httpsAddress } from '../../lib/https-address.ts';
import { useHttpsPort } from '../use-https-port.ts';
import classes from './failure-notice.module.css';
import type { PublishFailure } from './publishing/publish-failure.ts';

/** What went wrong and what helps. */
export function FailureNotice({ failure: { kind, detail }, page }: { failure: PublishFailure; page: URL }) {
  const { t } = useTranslation();
  return (
    <div className={classes.notice} role="alert">
      <p className={classes.title}>{t(`whip.failureTitle.${kind}`)}</p>
      <p>{t(`whip.failureText.${kind}`)}</p>
      {kind === 'insecure' && <HttpsLink page={page} />}
      {detail && <p className={classes.detail}>{t('player.said', { detail })}</p>}
    </div>
  );
}

function HttpsLink({ page }: { page: URL }) {
  const { t } = useTranslation();
  const address = httpsAddress(page, useHttpsPort());
  return (
    <p>
      <Anchor href={address.href} size="sm">
        {t('whip.openHttps', { host: address.host })}
      </Anchor>
    </p>
  );
}
