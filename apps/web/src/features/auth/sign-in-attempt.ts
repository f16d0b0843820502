import { ApiError } from '@weir/client';
import { errorTable } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../components/processes/use-now.ts';
import { formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';

/** Refused password, shown at the field. Other failures are shown above the page. */
type AttemptError = { kind: 'wrong' } | { kind: 'too-many'; seconds: number | undefined };

export function toAttemptError(error: unknown): AttemptError | undefined {
  if (!(error instanceof ApiError) || error.code !== errorTable.wrong_password.code) return undefined;
  if (error.status === errorTable.too_many_tries.status) return { kind: 'too-many', seconds: error.retryAfterSeconds };
  if (error.status === errorTable.wrong_password.status) return { kind: 'wrong' };
  return undefined;
}

/** The server requires the one-time set-up code, or refused the one given. */
export function isSetupCodeRefused(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.code === errorTable.wrong_setup_code.code &&
    error.status === errorTable.wrong_setup_code.status
  );
}

/** Text for a refused password; undefined for other failures. Counts down a waiting time. */
export function useAttemptText(error: unknown): string | undefined {
  const { t } = useTranslation();
  const locale = useLocale();
  const waitSeconds = useAttemptWait(error);
  const refused = toAttemptError(error);
  if (!refused) return undefined;
  if (refused.kind === 'wrong') return t('login.wrong');
  if (refused.seconds === undefined) return t('login.tooManyLater');
  if (waitSeconds === 0) return t('login.tooManyOver');
  return t('login.tooMany', { duration: formatDuration(waitSeconds, locale) });
}

/** Seconds until the server accepts another attempt; 0 = now. */
export function useAttemptWait(error: unknown): number {
  const [seen, setSeen] = useState(() => ({ error, at: Date.now() }));
  if (seen.error !== error) setSeen({ error, at: Date.now() });
  const refused = toAttemptError(error);
  const seconds = refused?.kind === 'too-many' ? (refused.seconds ?? 0) : 0;
  const now = useNow(seconds > 0);
  return Math.max(0, Math.ceil(seconds - Math.max(0, now - seen.at) / 1000));
}
