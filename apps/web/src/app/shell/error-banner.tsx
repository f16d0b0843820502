import { Anchor, Button, CloseButton, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ErrorDetails } from '../../components/ui/feedback/error-details.tsx';
import { IconCircleX } from '../../components/ui/theme/icons.ts';
import { SignInDialog } from '../../features/auth/sign-in-dialog.tsx';
import { isSignInEnded } from '../../lib/api.ts';
import { dismissError, useReportedError } from '../../lib/errors/error-report.ts';
import { endedSession, paths, useLocalPath } from '../../lib/paths.ts';
import classes from './error-banner.module.css';

/** Shows the last error above the page and leaves the page untouched. */
export function ErrorBanner() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const reported = useReportedError();
  const [isSigningIn, setIsSigningIn] = useState(false);
  const hasEnded = isSignInEnded(reported?.error);
  return (
    <>
      <div role="alert" className={reported ? classes.banner : undefined}>
        {reported && (
          <>
            <IconCircleX size={20} aria-hidden className={classes.icon} />
            <div className={classes.body}>
              <strong className={classes.title}>{t('errs.title')}</strong>
              <ErrorDetails
                error={reported.error}
                signInLink={
                  <Anchor component={Link} to={localPath(paths.logout)} state={endedSession} inherit>
                    {t('errs.expiredLink')}
                  </Anchor>
                }
              />
              {hasEnded && <p className={classes.next}>{t('errs.expiredHere')}</p>}
              <Group gap="xs" mt="sm">
                {hasEnded && (
                  <Button size="xs" onClick={() => setIsSigningIn(true)}>
                    {t('errs.signInHere')}
                  </Button>
                )}
                <Button size="xs" variant="default" onClick={dismissError}>
                  {t('errs.ok')}
                </Button>
              </Group>
            </div>
            <CloseButton aria-label={t('errs.dismiss')} onClick={dismissError} />
          </>
        )}
      </div>
      <SignInDialog opened={isSigningIn} onClose={() => setIsSigningIn(false)} />
    </>
  );
}
