import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { certsApi, errorTable, keyMask, pairFaults } from '@weir/contract';
import type { TFunction } from 'i18next';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { RevealButton } from '../../components/ui/fields/reveal-button.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { certsMutation, pairQuery } from './certs-queries.ts';
import classes from './files-form.module.css';

interface Pair {
  readonly key: string;
  readonly crt: string;
}

/** A key and a certificate of one's own, as text. A key that is typed is masked until it is asked for. */
export function FilesForm({ saved }: { saved: Pair }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<Partial<Pair>>({});
  const [isShown, setIsShown] = useState(false);
  const [isIncomplete, setIsIncomplete] = useState(false);
  const upload = useUpload(() => setDraft({}));
  const isBusy = useIsMutating({ mutationKey: certsMutation }) > 0;
  const pair = { ...saved, ...draft };
  const isChanged = pair.key !== saved.key || pair.crt !== saved.crt;
  const missing = (text: string) => (isIncomplete && text.trim() === '' ? t('settings.sslNoFile') : undefined);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const isWhole = pair.key.trim() !== '' && pair.crt.trim() !== '';
    setIsIncomplete(!isWhole);
    if (isWhole) upload.mutate(pair);
  };

  return (
    <form onSubmit={submit}>
      <Stack gap="md" maw={720}>
        <Textarea
          rows={5}
          label={t('settings.sslFileKey')}
          description={t('certs.keyHelp')}
          placeholder={t('settings.sslFileKeyTip')}
          classNames={{ input: isShown ? classes.pem : `${classes.pem} ${classes.masked}`, section: classes.corner }}
          spellCheck={false}
          autoComplete="off"
          value={pair.key}
          // A key that is typed or pasted takes the place of the dots, wherever the cursor stood among them.
          onChange={({ currentTarget: { value: key } }) =>
            setDraft({ ...draft, key: key.replaceAll(keyMask.charAt(0), '') })
          }
          error={missing(pair.key)}
          rightSectionPointerEvents="all"
          rightSection={pair.key !== keyMask && <RevealButton isShown={isShown} onChange={setIsShown} />}
        />
        <Textarea
          rows={5}
          label={t('settings.sslFileCert')}
          description={t('certs.certHelp')}
          placeholder={t('settings.sslFileCertTip')}
          classNames={{ input: classes.pem }}
          spellCheck={false}
          autoComplete="off"
          value={pair.crt}
          onChange={({ currentTarget: { value: crt } }) => setDraft({ ...draft, crt })}
          error={missing(pair.crt)}
        />
        {isRefusal(upload.error) && (
          <Notice tone="bad" title={t('certs.refused')}>
            <p role="alert">{faultText(t, upload.error)}</p>
          </Notice>
        )}
        <Group>
          <Button type="submit" loading={isBusy}>
            {t('settings.sslFileSubmit')}
          </Button>
          {isChanged && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
        </Group>
      </Stack>
    </form>
  );
}

/** The server's reason in the reader's language. */
function faultText(t: TFunction, { why }: ApiError): string {
  const fault = pairFaults.find((known) => known === why?.kind);
  return fault ? t(`certs.fault.${fault}`, { fact: why?.fact }) : t('errs.said.invalid');
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === errorTable.certificate.code;
}

function useUpload(onSaved: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationKey: certsMutation,
    mutationFn: ({ key, crt }: Pair) => client.call(certsApi.upload, { key, crt }),
    meta: { handles: isRefusal },
    onSuccess: async () => {
      // What the server made of it first, so that the fields do not fall back to the old pair for a moment.
      await queries.refetchQueries(pairQuery);
      onSaved();
      notify.success(t('settings.sslOk'));
      await queries.invalidateQueries({ queryKey: certsMutation });
    },
  });
}
