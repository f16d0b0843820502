import { Group, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { authApi, errorTable } from '@weir/contract';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { client, isPassing } from '../../../lib/api.ts';
import { endSession } from '../../../lib/credentials.ts';
import { paths, useLocalPath } from '../../../lib/paths.ts';
import { EntryCard } from '../entry-card.tsx';
import { rememberSignIn } from './sign-in-address.ts';

/** Asks the server whether the stored sign-in still holds. While it does not answer, the sign-in is kept. */
export function SignInCheck({ token }: { token: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const localPath = useLocalPath();
  const scenario = localPath(paths.scenario);
  const check = useQuery({
    queryKey: ['sign-in-check', token],
    // The first call proves the token alone, the second what later calls will send.
    queryFn: async ({ signal }) => {
      await client.call(authApi.token, { token }, { signal, authorized: false });
      return client.call(authApi.token, {}, { signal });
    },
    retry: (_failures, error) => isPassing(error) || isTooMany(error),
    gcTime: 0,
    meta: { quiet: true },
  });

  useEffect(() => {
    if (check.isError) endSession();
  }, [check.isError]);
  useEffect(() => {
    if (!check.isSuccess) return;
    rememberSignIn();
    navigate(scenario, { replace: true });
  }, [check.isSuccess, navigate, scenario]);

  return (
    <EntryCard title={t('login.title')}>
      <Group gap="sm" role="status">
        <Loader size="sm" />
        <Text>{t('login.checking')}</Text>
        <StaleChip {...check} dataUpdatedAt={0} />
      </Group>
    </EntryCard>
  );
}

function isTooMany(error: unknown): boolean {
  return error instanceof ApiError && error.status === errorTable.too_many_tries.status;
}
