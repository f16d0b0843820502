import { Textarea } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { certsApi, errorTable, keyMask, keyPairFaults } from '@weir/contract';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { RevealButton } from '../../components/ui/fields/reveal-button.tsx';
import { client } from '../../lib/api.ts';
import { certsMutation } from './certs-queries.ts';
import classes from './files-form.module.css';

interface Pair {
  readonly key: string;
  readonly crt: string;
}

/** Key and certificate pasted as text. The key is masked until revealed. */
export function FilesForm({ saved }: { saved: Pair }) {
  const { t } = useTranslation();
  const [isShown, setIsShown] = useState(false);
  const isBusy = useIsMutating({ mutationKey: certsMutation }) > 0;
  const form = useSettingsForm<Pair>({
    saved,
    check: ({ key, crt }) => (key.trim() !== '' && crt.trim() !== '' ? undefined : t('settings.sslNoFile')),
    mutationKey: certsMutation,
    isBlocked: isBusy,
    save: ({ key, crt }) => client.call(certsApi.upload, { key, crt }),
    handles: isRefusal,
    refresh: (queries) => queries.invalidateQueries({ queryKey: certsMutation }),
    done: t('settings.sslOk'),
  });
  const { key, crt } = form.value;
  const missing = (text: string) => (text.trim() === '' ? form.problem : undefined);

  return (
    <SettingsForm form={form} width={720} action={t('settings.sslFileSubmit')} isBusy={isBusy}>
      <Textarea
        rows={5}
        label={t('settings.sslFileKey')}
        description={t('certs.keyHelp')}
        placeholder={t('settings.sslFileKeyTip')}
        classNames={{ input: isShown ? classes.pem : `${classes.pem} ${classes.masked}`, section: classes.corner }}
        spellCheck={false}
        autoComplete="off"
        value={key}
        // Typed or pasted characters replace the mask, wherever the cursor was in it.
        onChange={({ currentTarget: { value } }) => form.edit({ key: value.replaceAll(keyMask.charAt(0), '') })}
        error={missing(key)}
        rightSectionPointerEvents="all"
        rightSection={key !== keyMask && <RevealButton isShown={isShown} onChange={setIsShown} />}
      />
      <Textarea
        rows={5}
        label={t('settings.sslFileCert')}
        description={t('certs.certHelp')}
        placeholder={t('settings.sslFileCertTip')}
        classNames={{ input: classes.pem }}
        spellCheck={false}
        autoComplete="off"
        value={crt}
        onChange={(event) => form.edit({ crt: event.currentTarget.value })}
        error={missing(crt)}
      />
      {isRefusal(form.refusal) && (
        <Notice tone="bad" title={t('certs.refused')}>
          <p role="alert">{faultText(t, form.refusal)}</p>
        </Notice>
      )}
    </SettingsForm>
  );
}

function faultText(t: TFunction, { why }: ApiError): string {
  const fault = keyPairFaults.find((known) => known === why?.kind);
  return fault ? t(`certs.fault.${fault}`, { fact: why?.fact }) : t('errs.said.invalid');
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === errorTable.certificate.code;
}
