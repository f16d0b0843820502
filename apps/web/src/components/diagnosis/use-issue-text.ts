import { cpuUsers, type Issue } from '@weir/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useEngineLacks } from '../../lib/queries/use-engine-lacks.ts';
import { protocolName } from '../streams/facts/protocol-name.ts';
import { programInputName } from '../streams/program-input-name.ts';

interface IssueText {
  readonly of: (part: IssuePart) => string;
  readonly has: (part: IssuePart) => boolean;
}

/** Name, cause and remedy of an issue, then the place of that setting in common encoders. */
type IssuePart = 'title' | 'text' | 'remedy' | 'obs' | 'vmix' | 'ffmpeg';

/** An issue in the reader's words, with its numbers in them. */
export function useIssueText(): (issue: Issue) => IssueText {
  const { t, i18n } = useTranslation();
  const isSeparate = useEngineLacks('process');
  return (issue) => {
    const { id, numbers } = issue;
    // A media server that is no process of ours is started by others.
    const words = id === 'engine-away' && isSeparate ? 'media-server-away' : id;
    const { count = numbers.days ?? 0 } = numbers;
    const values = { ...numbers, subject: nameOf(t, issue), count };
    return {
      of: (part) =>
        cpuText(t, issue, part) ?? t(`diagnose.issue.${words}.${part}` as 'diagnose.issue.stalled.text', values),
      has: (part) => i18n.exists(`diagnose.issue.${words}.${part}`, { count }),
    };
  };
}

/** Issues about a protocol. */
const ofProtocols = new Set<Issue['id']>(['port-taken', 'srt-unavailable', 'worker-failing']);

/** What an issue is about, as people call it. */
function nameOf(t: TFunction, { id, subject = '' }: Issue): string {
  if (id === 'input-lost' || id === 'input-unfit') return programInputName(subject, t);
  if (id === 'worker-failing' && subject === 'delivery') return t('diagnose.deliveryProcess');
  return ofProtocols.has(id) ? protocolName(subject) : subject;
}

/** Leads to the main user of a full CPU; undefined if unknown. */
function cpuText(t: TFunction, { id, numbers, subject }: Issue, part: IssuePart): string | undefined {
  const user = id === 'cpu-full' ? cpuUsers.find((one) => one === subject) : undefined;
  if (!user || (part !== 'text' && part !== 'remedy')) return undefined;
  if (part === 'remedy') return t(`diagnose.cpu.remedy.${user}`);
  if (user === 'elsewhere') return t('diagnose.cpu.elsewhere', numbers);
  return t('diagnose.cpu.text', { ...numbers, name: t(`diagnose.cpu.name.${user}`) });
}
