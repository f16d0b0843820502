import {
  AiCause,
  type Alert,
  aiFeatures,
  BackupFailure,
  type Issue,
  issueIds,
  processCauses,
  recordFailures,
  storeFaults,
  uploadFailures,
} from '@weir/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useOutletTitle } from '../../../components/outlets/destination/platforms.ts';
import { protocolName } from '../../../components/streams/facts/protocol-name.ts';
import { programInputName } from '../../../components/streams/program-input-name.ts';
import { Section } from '../../../components/ui/layout/section.tsx';
import { type Feature, useFeatures } from '../../../lib/feature.ts';
import { formatDateTime, joinSentences } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { paths } from '../../../lib/paths.ts';
import { placePath, placeTitle } from './alert-places.ts';
import { type Notice, NoticeList, useIssueNotice } from './notice-list.tsx';

/** Alerts and issues of the server, worst first, with links to the settings that fix them. */
export function AlertPanel({ alerts, issues }: { alerts: readonly Alert[]; issues: readonly Issue[] }) {
  const { t } = useTranslation();
  const alertNotice = useAlertNotice();
  const issueNotice = useIssueNotice();
  const notices = [...alerts.map(alertNotice), ...issues.map(issueNotice)];
  const rank = ({ severity }: Notice) => (severity === 'bad' ? 0 : 1);
  return (
    <Section
      anchor="alerts"
      title={t('overview.alerts')}
      {...(notices.length === 0 && { help: t('overview.noAlerts') })}
    >
      {notices.length > 0 && <NoticeList notices={notices.sort((a, b) => rank(a) - rank(b))} />}
    </Section>
  );
}

function useAlertNotice(): (alert: Alert) => Notice {
  const { t } = useTranslation();
  const features = useFeatures();
  const textOf = useAlertText();
  return (alert) => {
    const { kind, severity, since, place, subject, cause } = alert;
    const time = formatDateTime(new Date(since));
    return {
      key: `${kind} ${place.tab} ${subject} ${cause}`,
      severity,
      ...textOf(alert),
      // An expiring certificate has an end instead of a start.
      when: kind === 'certificate' ? t('overview.alertUntil', { time }) : t('overview.alertSince', { time }),
      place: linkOf(alert, features),
    };
  };
}

/** Problems fixed outside the console have no other tab; an update has the page of the server. */
function linkOf({ kind, place }: Alert, features: readonly Feature[]): Notice['place'] {
  if (kind === 'update') return { path: `${paths.components}#updates`, title: 'nav.component' };
  return place.tab === 'overview' ? undefined : { path: placePath(place), title: placeTitle(place, features) };
}

interface AlertText {
  readonly title: string;
  readonly text: string;
}

function useAlertText(): (alert: Alert) => AlertText {
  const { t } = useTranslation();
  const locale = useLocale();
  const titleOf = useOutletTitle();
  return (alert) => {
    const nameOf = ({ label, subject }: Alert) =>
      label.trim() || titleOf({ platform: subject, custom: false, label: '' });
    const { title, sentences } = texts[alert.kind](t, alert, nameOf);
    return { title, text: joinSentences(sentences, locale) };
  };
}

interface Words {
  readonly title: string;
  readonly sentences: readonly string[];
}

const outputTabs = ['forward', 'vlive', 'camera', 'transcode'] as const;

const texts: Record<Alert['kind'], (t: TFunction, alert: Alert, nameOf: (alert: Alert) => string) => Words> = {
  output: (t, alert, nameOf) => {
    const tab = outputTabs.find((one) => one === alert.place.tab) ?? 'forward';
    const word = alert.severity === 'bad' ? 'outputFailing' : 'outputReconnecting';
    const cause = known(processCauses, alert.cause);
    return {
      title: t(`overview.${word}.${tab}`, { name: nameOf(alert) }),
      sentences: cause ? [t(`process.why.${cause}`), t(`process.remedy.${cause}`)] : [],
    };
  },
  guessing: (t, { count }) => ({
    title: t('overview.guessing'),
    sentences: [t('overview.guessingText', { count })],
  }),
  certificate: (t, { count, severity }) =>
    severity === 'bad'
      ? { title: t('overview.certEnded'), sentences: [t('overview.certEndedText')] }
      : { title: t('overview.certEnding'), sentences: [t('overview.certEndingText', { count })] },
  'record-storage': (t) => ({ title: t('overview.recordStorage'), sentences: [t('overview.recordStorageText')] }),
  'rewind-storage': (t) => ({ title: t('overview.rewindStorage'), sentences: [t('overview.rewindStorageText')] }),
  'record-failed': (t, { count, subject, cause }) => {
    const failure = known(recordFailures, cause);
    const name = { name: subject };
    return {
      title: subject === '' ? t('overview.recordFailed', { count }) : t('overview.recordFailedOne', name),
      sentences: [failure ? t(`record.failure.${failure}`) : t('overview.recordFailedText')],
    };
  },
  'record-lost': (t, { count, subject }) => ({
    title: subject === '' ? t('overview.recordLost', { count }) : t('overview.recordLostOne', { name: subject }),
    sentences: [t('overview.recordLostText')],
  }),
  upload: (t, { count, cause }) => {
    const failure = known(uploadFailures, cause);
    const why = failure ? [t(`cloud.failure.${failure}`)] : [];
    return { title: t('overview.upload'), sentences: [...why, t('overview.uploadText', { count })] };
  },
  backup: (t, { cause }) => {
    const failure = known(BackupFailure.options, cause);
    return {
      title: t('overview.backup'),
      sentences: [t(`backup.failure.${failure ?? 'other'}`), t('overview.backupText')],
    };
  },
  callback: (t, { count }) => ({
    title: t('overview.callback'),
    sentences: [t('overview.callbackText'), ...(count > 0 ? [t('overview.callbackWaiting', { count })] : [])],
  }),
  'local-ai': (t, { count }) => ({
    title: t('overview.localAi'),
    sentences: [t('overview.localAiText', { count })],
  }),
  'ai-limit': (t, { subject, label }) => {
    const feature = known(aiFeatures, subject);
    return {
      title: t('overview.aiLimit', { name: label || (feature ? t(`llm.feature.${feature}`) : subject) }),
      sentences: [t('overview.aiLimitText')],
    };
  },
  'ai-provider': (t, { subject, label, count, cause }) => {
    const feature = known(aiFeatures, subject);
    const why = AiCause.safeParse(cause).data;
    return {
      title: t('overview.aiProvider', { name: feature ? t(`llm.feature.${feature}`) : subject, host: label }),
      sentences: [t('overview.aiProviderText', { count }), ...(why ? [t(`ai.why.${why}`), t(`ai.remedy.${why}`)] : [])],
    };
  },
  worker: (t, { subject, count }) => {
    if (subject === 'delivery') {
      return { title: t('overview.delivery'), sentences: [t('overview.deliveryText', { count })] };
    }
    const name = protocolName(subject);
    return { title: t('overview.worker', { name }), sentences: [t('overview.workerText', { name, count })] };
  },
  stream: (t, { subject, cause }) => {
    const id = known(issueIds, cause);
    const word = (part: string) => t(`diagnose.issue.${id}.${part}` as 'diagnose.issue.stalled.title');
    const issue = id ? word('title') : t('diagnose.verdict.bad');
    return { title: t('overview.streamBad', { name: subject, issue }), sentences: id ? [word('remedy')] : [] };
  },
  program: (t, { subject, label }) =>
    label === ''
      ? { title: t('overview.programSlate', { name: subject }), sentences: [t('overview.programSlateText')] }
      : {
          title: t('overview.programBackup', { name: subject }),
          sentences: [t('overview.programBackupText', { input: programInputName(label, t) })],
        },
  update: (t, { subject, severity }) => {
    const version = { version: subject };
    return severity === 'bad'
      ? { title: t('overview.updateStuck', version), sentences: [t('overview.updateStuckText')] }
      : { title: t('overview.updateFailed', version), sentences: [t('overview.updateFailedText')] };
  },
  store: (t, { cause }) => {
    const fault = known(storeFaults, cause) ?? 'away';
    return { title: t(`overview.storeFault.${fault}`), sentences: [t(`overview.storeFaultText.${fault}`)] };
  },
};

/** Servers of other versions may send unknown values. */
function known<Word extends string>(words: readonly Word[], text: string): Exclude<Word, ''> | undefined {
  return words.find((word): word is Exclude<Word, ''> => word === text && word !== '');
}
