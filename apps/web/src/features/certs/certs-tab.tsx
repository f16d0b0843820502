import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CertificateFacts, CertOrder, CertStatus } from '@weir/contract';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { certificateState } from '../../components/certificate-state.ts';
import { TutorialButton } from '../../components/tutorials/tutorial-button.tsx';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { certStatusQuery, pairQuery } from './certs-queries.ts';
import classes from './certs-tab.module.css';
import { FilesForm } from './files-form.tsx';
import { OrderForm } from './order-form.tsx';

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

/** The verdict in one line with what it means, then the details. */
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
