import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError, type ErrorDetail } from '../../lib/error-detail.ts';
import classes from './error-details.module.css';

interface ErrorDetailsProps {
  error: unknown;
  /** Where to sign in again, said when the sign-in has ended. */
  signInLink?: ReactNode;
}

/** What went wrong, in words first; the raw answer is one click away. */
export function ErrorDetails({ error, signInLink }: ErrorDetailsProps) {
  const { t } = useTranslation();
  const detail = describeError(error);
  switch (detail.kind) {
    case 'unknown':
      return <p className={classes.lead}>{t('errs.generic')}</p>;
    case 'expired':
      return (
        <Explained detail={detail}>
          {t('errs.expire1')} {signInLink ?? t('errs.expire2')}
        </Explained>
      );
    case 'store':
      return <Explained detail={detail}>{t('errs.redis1')}</Explained>;
    case 'https':
      return <Explained detail={detail}>{t('errs.btHttps1')}</Explained>;
    case 'code':
      return (
        <>
          <p className={classes.lead}>{detail.message}</p>
          <ul className={classes.facts}>
            <li>{t('errs.code', { code: detail.code })}</li>
            <li>{t('errs.status', { status: detail.status })}</li>
            <li>{t('errs.request', { url: detail.url })}</li>
          </ul>
          <Raw title={t('errs.raw')} text={detail.body} />
        </>
      );
    case 'status':
      return (
        <>
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
          <p className={classes.lead}>
            {detail.name}: {detail.message}
          </p>
          <Raw title={t('errs.stack')} text={detail.stack} />
        </>
      );
    case 'text':
      return <pre className={classes.raw}>{detail.text}</pre>;
  }
}

function Explained({ detail, children }: { detail: Extract<ErrorDetail, { code: number }>; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <>
      <p className={classes.lead}>{children}</p>
      <pre className={classes.raw}>
        {t('errs.code', { code: detail.code })}
        {'\n'}
        {detail.message}
      </pre>
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
