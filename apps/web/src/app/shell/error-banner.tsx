import { Anchor, Button, CloseButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ErrorDetails } from '../../components/ui/error-details.tsx';
import { IconCircleX } from '../../components/ui/icons.ts';
import { dismissError, useReportedError } from '../../lib/error-report.ts';
import { paths, useLocalPath } from '../paths.ts';
import classes from './error-banner.module.css';

/** The failure of the last action, above a page that stays as it was. */
export function ErrorBanner() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const reported = useReportedError();
  return (
    <div role="alert" className={reported ? classes.banner : undefined}>
      {reported && (
        <>
          <IconCircleX size={20} aria-hidden className={classes.icon} />
          <div className={classes.body}>
            <strong className={classes.title}>{t('errs.title')}</strong>
            <ErrorDetails
              error={reported.error}
              signInLink={
                <Anchor component={Link} to={localPath(paths.logout)} onClick={dismissError} inherit>
                  {t('errs.expire2')}
                </Anchor>
              }
            />
            <Button size="xs" variant="default" mt="sm" onClick={dismissError}>
              {t('errs.ok')}
            </Button>
          </div>
          <CloseButton aria-label={t('errs.dismiss')} onClick={dismissError} />
        </>
      )}
    </div>
  );
}
