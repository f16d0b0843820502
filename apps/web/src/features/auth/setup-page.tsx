import { ActionIcon, Button, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { authApi, limits, setupCodeParameter } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHref, useNavigate, useSearchParams } from 'react-router';
import { FeatureParts } from '../../components/feature-parts.tsx';
import { IconCopy } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { saveCredentials } from '../../lib/credentials.ts';
import { useCopy } from '../../lib/notify.ts';
import { suggestPassword } from '../../lib/password-strength.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { checkQuery } from '../../lib/queries/system-queries.ts';
import { initStateQuery } from './auth-queries.ts';
import { EntryCard } from './entry-card.tsx';
import { PasswordHint, passwordFault } from './password-field.tsx';
import { rememberSignIn, signInPath } from './sign-in-address.ts';
import { isSetupCodeRefused } from './sign-in-attempt.ts';

export function SetupPage() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const [password, setPassword] = useState(suggestPassword);
  const [code, setCode] = useState(query.get(setupCodeParameter) ?? '');
  // A code in the address is enough; only a script on the server's machine needs none.
  const [asksForCode, setAsksForCode] = useState(code === '');
  const [isTooShort, setIsTooShort] = useState(false);
  const copy = useCopy();
  const check = useQuery(checkQuery);
  const setup = useSetup();
  const localPath = useLocalPath();
  const signIn = useHref(localPath(signInPath));
  const isCodeRefused = isSetupCodeRefused(setup.error);
  const isUpgrading = check.data?.upgrading === true;
  // Keeps the form disabled after success until the next page is shown.
  const isBusy = setup.isPending || setup.isSuccess;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setIsTooShort(password.length < limits.passwordLeast);
    if (password.length < limits.passwordLeast) return;
    setup.mutate(
      { password, code: code.trim() },
      { onError: (error) => setAsksForCode((before) => before || isSetupCodeRefused(error)) },
    );
  };

  return (
    <EntryCard title={t('setup.title')} text={t('setup.intro')}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            size="md"
            label={t('setup.passwordLabel')}
            description={t('setup.passwordTip')}
            type={isBusy ? 'password' : 'text'}
            autoComplete="new-password"
            spellCheck={false}
            maxLength={limits.passwordCharacters}
            readOnly={isBusy}
            rightSection={
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('setup.copyPassword')}
                disabled={isBusy}
                onClick={() => copy(password)}
              >
                <IconCopy size={16} aria-hidden />
              </ActionIcon>
            }
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={isTooShort && passwordFault(t, password)}
          />
          <PasswordHint value={password} />
          {asksForCode && (
            <TextInput
              size="md"
              label={t('setup.codeLabel')}
              description={t('setup.codeHelp')}
              autoComplete="off"
              spellCheck={false}
              readOnly={isBusy}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              error={isCodeRefused && (setup.variables?.code ? t('setup.codeWrong') : t('setup.codeMissing'))}
            />
          )}
          {isUpgrading && (
            <Text size="sm" role="status">
              {t('setup.upgrading')}
            </Text>
          )}
          <Button
            type="submit"
            size="md"
            fullWidth
            leftSection={isBusy && <Loader size={16} color="currentColor" />}
            disabled={check.data === undefined || isUpgrading}
            {...(isBusy && { 'data-disabled': true })}
            aria-disabled={isBusy}
          >
            {isBusy ? t('setup.labelInit') : t('setup.labelNormal')}
          </Button>
        </Stack>
      </form>
      <FeatureParts
        slot="setupOption"
        props={{ code: query.get(setupCodeParameter) ?? '', onDone: () => window.location.replace(signIn) }}
      />
    </EntryCard>
  );
}

function useSetup() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const localPath = useLocalPath();
  return useMutation({
    mutationFn: (request: { password: string; code: string }) =>
      client.call(authApi.init, request.code === '' ? { password: request.password } : request),
    meta: { handles: isSetupCodeRefused },
    onSuccess: (answer) => {
      saveCredentials(answer);
      rememberSignIn();
      queries.setQueryData(initStateQuery.queryKey, { init: true });
      // Replacing the entry removes the set-up code from the address and the history.
      navigate(localPath(paths.scenario), { replace: true });
    },
    // A second visitor may have set the password first; then this page must close.
    onError: () => queries.invalidateQueries({ queryKey: initStateQuery.queryKey }),
  });
}
