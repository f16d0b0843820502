import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { queryOptions, useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import {
  type CertificateFacts,
  type CertOrder,
  type CertStatus,
  certs,
  certsApi,
  consoleTimes,
  errorTable,
  isDomain,
  keyMask,
  keyPairFaults,
} from '@weir/contract';
import type { TFunction } from 'i18next';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { certificateState } from '../../components/certificate-state.ts';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { TutorialButton } from '../../components/tutorials/tutorial-button.tsx';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { RevealButton } from '../../components/ui/fields/reveal-button.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client, isSignInEnded } from '../../lib/api.ts';
import { slowPollWhileConnected } from '../../lib/events/event-feed-state.ts';
import { notify } from '../../lib/notify.ts';
import classes from './certs-tab.module.css';
import { checkOrder, type OrderProblem } from './order-check.ts';

const dayMs = 86_400_000;

export function CertsTab() {
  const { t } = useTranslation();
  const { data: saved } = useQuery(pairQuery);
  const { data: status } = useQuery(certStatusQuery);
  const waysId = useId();
  // A self-signed certificate was made by this server, whatever the provider says.
  const hasOwnFiles = saved?.provider === 'ssl' && status?.certificate?.selfSigned === false;
  if (status?.elsewhere) return <Notice tone="bad" title={t('errs.managedHttps')} />;
  return (
    <>
      <PageHead
        title={t('settings.tabHttps')}
        state={status && <CertificatePill status={status} />}
        purpose={t('nav.purpose.https')}
      />
      <div className={classes.page}>
        <CertificatePanel />
        {saved && (
          <section aria-labelledby={waysId}>
            <h2 id={waysId} className={classes.heading}>
              {t(status?.certificate && !status.certificate.selfSigned ? 'certs.ways.replace' : 'certs.ways.get')}
            </h2>
            <Accordion
              initial={saved.provider === 'ssl' ? '1' : '0'}
              isInner
              items={[
                {
                  key: '0',
                  title: t('settings.letsTitle'),
                  help: t('certs.letsHelp'),
                  state: saved.provider === 'lets' && <StatusLabel tone="ok" word={t('certs.ways.inUse')} tinted />,
                  content: withTutorial(<OrderForm domain={saved.domain} />),
                },
                {
                  key: '1',
                  title: t('settings.sslFileTitle'),
                  help: t('certs.filesHelp'),
                  state: hasOwnFiles && <StatusLabel tone="ok" word={t('certs.ways.inUse')} tinted />,
                  content: withTutorial(<FilesForm saved={saved} />),
                },
              ]}
            />
          </section>
        )}
      </div>
    </>
  );
}

/** The same verdict as in the panel below. */
function CertificatePill({ status: { certificate } }: { status: CertStatus }) {
  const { t } = useTranslation();
  if (!certificate) return <StatePill tone="off" word={t('overview.certNone')} />;
  const { expireAt, selfSigned } = certificate;
  const { tone, word } = certificateState({ expireAt, isSelfSigned: selfSigned }, Date.now());
  return <StatePill tone={tone} word={t(word)} />;
}

function withTutorial(content: ReactNode): ReactNode {
  return (
    <>
      <TutorialButton set="https" />
      {content}
    </>
  );
}

function CertificatePanel() {
  const { t } = useTranslation();
  const status = useQuery(certStatusQuery);
  return (
    <Section title={t('certs.title')} help={t('certs.help')} state={<StaleChip {...status} />}>
      {status.data && <State status={status.data} />}
    </Section>
  );
}

function State({ status }: { status: CertStatus }) {
  const { certificate, order } = status;
  return (
    <Stack gap="md">
      {certificate ? <Facts certificate={certificate} status={status} /> : <NoCertificate />}
      <OrderNotice order={order} />
    </Stack>
  );
}

function NoCertificate() {
  const { t } = useTranslation();
  return <StatusLabel tone="off" word={t('overview.certNone')} />;
}

/** Verdict and its meaning in one line, then the details. */
function Facts({ certificate, status }: { certificate: CertificateFacts; status: CertStatus }) {
  const { t } = useTranslation();
  const { expireAt, selfSigned, names, issuer } = certificate;
  const { tone, word } = certificateState({ expireAt, isSelfSigned: selfSigned }, Date.now());
  const days = Math.floor((Date.parse(expireAt) - Date.now()) / dayMs);
  return (
    <>
      <div className={classes.verdict}>
        <StatusLabel tone={tone} word={t(word)} />
        <p>
          {word === 'certs.untrusted' ? t('certs.untrustedText') : days >= 0 && t('certs.daysLeft', { count: days })}
        </p>
      </div>
      <FactList
        facts={[
          { term: t('certs.names'), value: names.join(', ') },
          { term: t('certs.issuer'), value: selfSigned ? t('certs.selfSigned') : issuer },
          { term: t('certs.validUntil'), value: <Moment at={expireAt} /> },
          { term: t('certs.renewal'), value: <Renewal status={status} /> },
        ]}
      />
    </>
  );
}

function Renewal({ status: { provider, renewAt, order } }: { status: CertStatus }) {
  const { t } = useTranslation();
  if (provider !== 'lets' || renewAt === null) return t('certs.renewNever');
  return (
    <>
      {t(order.state === 'failed' ? 'certs.renewRetry' : 'certs.renewAt')} <Moment at={renewAt} />
    </>
  );
}

function OrderNotice({ order }: { order: CertOrder }) {
  const { t } = useTranslation();
  const { state, domain, at, reason, fault = 'other' } = order;
  if (state === 'running') {
    return <Notice tone="info" title={t('certs.ordering', { domain })} />;
  }
  if (state !== 'failed') return null;
  return (
    <Notice tone="bad" title={t('certs.orderFailed', { domain })}>
      <p>{t(`certs.orderFault.${fault}`, { domain })}</p>
      <p>{t(`certs.orderRemedy.${fault}`, { domain })}</p>
      <p>
        {t('certs.orderReason')} <q>{reason}</q>
      </p>
      <p>
        {at && <Moment at={at} />} {t('certs.orderFailedText')}
      </p>
    </Notice>
  );
}

interface Pair {
  readonly key: string;
  readonly crt: string;
}

/** Key and certificate pasted as text. The key is masked until revealed. */
function FilesForm({ saved }: { saved: Pair }) {
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

function OrderForm({ domain: saved }: { domain: string }) {
  const { t } = useTranslation();
  const status = useQuery(certStatusQuery);
  const { hostname } = window.location;
  const [draft, setDraft] = useState<string>();
  const [complaint, setComplaint] = useState<OrderProblem>();
  const order = useOrder();
  const isBusy = useIsMutating({ mutationKey: certsMutation }) > 0 || status.data?.order.state === 'running';
  const value = draft ?? (saved || (isDomain(hostname) ? hostname : ''));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const domain = value.trim().toLowerCase();
    const found = checkOrder(domain, window.location);
    setComplaint(found);
    if (!found) order.mutate(domain);
  };

  return (
    <form onSubmit={submit}>
      <Stack gap="md" maw={560}>
        <TextInput
          size="md"
          label={t('settings.letsDomain')}
          description={t('certs.orderHelp')}
          placeholder={t('settings.letsDomainTip')}
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          onChange={(event) => {
            setDraft(event.currentTarget.value);
            setComplaint(undefined);
          }}
          error={complaint && <ComplaintText complaint={complaint} domain={value.trim()} />}
        />
        <Group>
          <Button type="submit" loading={isBusy}>
            {t('settings.letsDomainSubmit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function ComplaintText({ complaint, domain }: { complaint: OrderProblem; domain: string }) {
  const { t } = useTranslation();
  const { hostname, port, host } = window.location;
  const opened = t('settings.sslInvalidHost', { host: hostname });
  switch (complaint) {
    case 'page-port':
      return t('settings.sslInvalidPort', { port, host });
    case 'page-host':
      return `${opened} ${t('settings.sslInvalidHostName')}`;
    case 'empty':
      return t('settings.sslNoDomain');
    case 'no-domain':
      return t('settings.sslInvalidDomain');
    case 'other-domain':
      return `${opened} ${t('settings.sslInvalidHost2', { domain })}`;
  }
}

function useOrder() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationKey: certsMutation,
    mutationFn: (domain: string) => {
      // The order runs on the server; its progress is shown beside the current certificate.
      setTimeout(() => queries.invalidateQueries(certStatusQuery));
      return client.call(certsApi.order, { domain });
    },
    // The panel of the current certificate keeps showing why an order failed.
    meta: { handles: (error) => error instanceof ApiError && error.code === errorTable.certificate_failed.code },
    onSuccess: ({ state }) => {
      if (state === 'issued') notify.success(t('settings.sslLetsOk'));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: certsMutation }),
  });
}

const pairQuery = queryOptions({
  queryKey: ['certs', 'pair'],
  queryFn: ({ signal }) => client.call(certsApi.query, {}, { signal }),
});

const certStatusQuery = queryOptions({
  queryKey: ['certs', 'status'],
  queryFn: ({ signal }) => client.call(certsApi.status, {}, { signal }),
  refetchInterval: ({ state }) => {
    if (isSignInEnded(state.error)) return false;
    return state.data?.order.state === 'running'
      ? certs.orderPollMs
      : slowPollWhileConnected(consoleTimes.statusPollMs);
  },
});

/** Ordering and uploading a certificate exclude each other. */
const certsMutation = ['certs'];
