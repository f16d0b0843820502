import { Button, Group, Loader, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorDetails } from '../components/ui/feedback/error-details.tsx';
import { BrandMark } from '../components/ui/theme/brand-mark.tsx';
import { initStateQuery } from '../features/auth/auth-queries.ts';
import { isServerUnreachable, isTransient } from '../lib/api.ts';
import { checkQuery, environmentQuery } from '../lib/queries/system-queries.ts';
import classes from './boot.module.css';

/** Blocks the first render until the server has answered; later failures never bring it back. */
export function Boot({ children }: { children: ReactNode }) {
  const environment = useQuery(environmentQuery);
  const check = useQuery(checkQuery);
  const init = useQuery(initStateQuery);
  if (environment.data && check.data && init.data) return children;
  const failing = [environment, check, init].find((query) => query.failureCount > 0);
  return failing ? <NoAnswer reason={failing.failureReason} /> : <Waiting />;
}

function Waiting() {
  const { t } = useTranslation();
  return (
    <div className={classes.screen} role="status">
      <BrandMark size={48} />
      <Text c="dimmed" mt="md">
        {t('shell.loading')}
      </Text>
    </div>
  );
}

function NoAnswer({ reason }: { reason: unknown }) {
  const { t } = useTranslation();
  const isRefused = reason instanceof ApiError && !isServerUnreachable(reason);
  return (
    <main className={classes.screen}>
      <BrandMark size={48} />
      <Title order={1} mt="lg">
        {isRefused ? t('errs.title') : t('shell.bootTitle')}
      </Title>
      <div className={classes.text} role="alert">
        {isRefused ? <ErrorDetails error={reason} /> : t('shell.bootText')}
      </div>
      <Group gap="xs" mt="lg" role="status">
        {isTransient(reason) ? (
          <>
            <Loader size="xs" />
            <Text c="dimmed" size="sm">
              {isRefused ? t('shell.bootRetry') : t('shell.silent')}
            </Text>
          </>
        ) : (
          <Button onClick={() => window.location.reload()}>{t('errs.reload')}</Button>
        )}
      </Group>
    </main>
  );
}
