import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../../components/processes/use-now.ts';
import { formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { toAttemptError } from './attempt-error.ts';

/** Words for a refused password, or nothing when the failure is of another kind. A time to wait counts down. */
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

/** How many seconds are left until the server looks at another guess; 0 = it does now. */
export function useAttemptWait(error: unknown): number {
  const [seen, setSeen] = useState(() => ({ error, at: Date.now() }));
  if (seen.error !== error) setSeen({ error, at: Date.now() });
  const refused = toAttemptError(error);
  const seconds = refused?.kind === 'too-many' ? (refused.seconds ?? 0) : 0;
  const now = useNow(seconds > 0);
  return Math.max(0, Math.ceil(seconds - Math.max(0, now - seen.at) / 1000));
}
