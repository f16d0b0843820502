import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { describeCopyFailure } from '../../../lib/copy.ts';
import { describeError, type ErrorDetail } from '../../../lib/errors/error-detail.ts';
import classes from './error-details.module.css';

interface ErrorDetailsProps {
  error: unknown;
  /** Sign-in link, shown for an expired session. */
  signInLink?: ReactNode;
}

/** Explanation of an error, with the raw response one click away. */
export function ErrorDetails({ error, signInLink }: ErrorDetailsProps) {
  const { t } = useTranslation();
  const detail = describeError(error);
  switch (detail.kind) {
    case 'unknown':
      return <p className={classes.lead}>{t('errs.generic')}</p>;
    case 'expired':
      return (
        <Explained detail={detail}>
          {t('errs.expired')}
          {signInLink ?? t('errs.expiredLink')}
        </Explained>
      );
    case 'store':
      return (
        <Explained detail={detail} more={t('errs.redisHelp')}>
          {t('errs.redis')}
        </Explained>
      );
    case 'https':
      return <Explained detail={detail}>{t('errs.managedHttps')}</Explained>;
    case 'demo':
      return <p className={classes.lead}>{t('errs.demo')}</p>;
    case 'code':
      return (
        <>
          <p className={classes.lead}>{t(`errs.said.${detail.said}`)}</p>
          <ul className={classes.facts}>
            <li>{t('errs.code', { code: detail.code })}</li>
            <li>{t('errs.status', { status: detail.status })}</li>
            <li>{t('errs.request', { url: detail.url })}</li>
          </ul>
          <Raw title={t('errs.raw')} text={`${detail.message}\n\n${detail.body}`} />
        </>
      );
    case 'status':
      return (
        <>
          <p className={classes.lead}>{t('errs.strange')}</p>
          <ul className={classes.facts}>
            <li>{t('errs.status', { status: detail.status })}</li>
            <li>{t('errs.request', { url: detail.url })}</li>
          </ul>
          <Raw title={t('errs.raw')} text={detail.body} />
        </>
      );
    case 'network':
      return (
        <>
          <p className={classes.lead}>{t('errs.network')}</p>
          <ul className={classes.facts}>
            <li>{detail.message}</li>
            <li>{t('errs.request', { url: detail.url })}</li>
          </ul>
          <Raw title={t('errs.stack')} text={`${detail.name}: ${detail.message}\n${detail.stack}`} />
        </>
      );
    case 'error':
      return (
        <>
          <p className={classes.lead}>{t('errs.own')}</p>
          <ul className={classes.facts}>
            <li>
              {detail.name}: {detail.message}
            </li>
          </ul>
          <Raw title={t('errs.stack')} text={detail.stack} />
        </>
      );
    case 'copy':
      return <p className={classes.lead}>{describeCopyFailure(t, detail.error)}</p>;
    case 'text':
      return <pre className={classes.raw}>{detail.text}</pre>;
  }
}

interface ExplainedProps {
  detail: Extract<ErrorDetail, { code: number }>;
  /** Meaning and remedy. */
  more?: string;
  children: ReactNode;
}

function Explained({ detail, more, children }: ExplainedProps) {
  const { t } = useTranslation();
  return (
    <>
      <p className={classes.lead}>{children}</p>
      {more && <p className={classes.lead}>{more}</p>}
      <ul className={classes.facts}>
        <li>{t('errs.code', { code: detail.code })}</li>
        <li>{detail.message}</li>
      </ul>
    </>
  );
}

function Raw({ title, text }: { title: string; text: string }) {
  if (text === '') return null;
  return (
    <details className={classes.details}>
      <summary>{title}</summary>
      <pre className={classes.raw}>{text}</pre>
    </details>
  );
}
