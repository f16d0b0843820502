import { formatMoment } from './notice-clock.ts';
import type { NotedProblem, Notice } from './notice-plan.ts';
import { describeProblem, type Language } from './problem-words.ts';

/** A message as people read it, for every service to put into its own form. */
export interface Message {
  readonly title: string;
  /** One problem each, and what remains. */
  readonly lines: readonly string[];
  /** Worst of what it reports. */
  readonly tone: 'bad' | 'warn' | 'good';
  /** Page of the console; empty if the address of this server is not known. */
  readonly link: string;
  readonly linkText: string;
  /** For programs. */
  readonly began: readonly NotedProblem[];
  readonly ended: readonly NotedProblem[];
}

interface Setting {
  readonly language: Language;
  /** Name of this server in titles. */
  readonly server: string;
  /** Address of the console; empty if unknown. */
  readonly address: string;
  readonly zone: string;
}

/** Chat services refuse long messages, and people do not read them. */
const mostLines = 10;

const words = {
  en: {
    began: (count: number) => (count === 1 ? '1 problem' : `${count} problems`),
    ended: (count: number) => (count === 1 ? '1 problem resolved' : `${count} problems resolved`),
    resolved: (title: string) => `Resolved: ${title}`,
    since: (time: string) => `since ${time}`,
    from: (start: string, end: string) => `${start} to ${end}`,
    more: (count: number) => `and ${count} more`,
    open: 'Open the console',
    test: 'Test message',
    testText: 'If you can read this, notifications from this server arrive here.',
  },
  zh: {
    began: (count: number) => `${count} 个问题`,
    ended: (count: number) => `${count} 个问题已恢复`,
    resolved: (title: string) => `已恢复：${title}`,
    since: (time: string) => `开始于 ${time}`,
    from: (start: string, end: string) => `${start} 至 ${end}`,
    more: (count: number) => `另有 ${count} 个`,
    open: '打开控制台',
    test: '测试消息',
    testText: '看到这条消息，说明本服务器的通知可以送达。',
  },
} as const;

/** Coloured dots, which every service shows, with or without formatted text. */
const dots = { bad: '\u{1F534}', warn: '\u{1F7E0}', good: '\u{1F7E2}' } as const;

export function composeMessage({ began, passed, ended }: Notice, setting: Setting, nowMs: number): Message {
  const { language, zone } = setting;
  const text = words[language];
  const moment = (at: string | number) => formatMoment(at, nowMs, { language, zone });
  const open = [...began].sort((a, b) => rank(a) - rank(b));
  const over = [...passed, ...ended];
  const lines = [
    ...open.map((one) => {
      const { title, text: detail } = describeProblem(one, language);
      const when = hasStart(one) ? `(${text.since(moment(one.since))})` : '';
      return [`${dots[one.severity]} ${title}`, detail, when].filter(Boolean).join(' ');
    }),
    ...over.map((one) => {
      const { title } = describeProblem(one, language);
      const when = hasStart(one) ? text.from(moment(one.since), moment(one.goneAtMs)) : moment(one.goneAtMs);
      return `${dots.good} ${text.resolved(title)} (${when})`;
    }),
  ];
  const [first] = open.length > 0 ? open : over;
  const single = first && lines.length === 1 ? describeProblem(first, language).title : undefined;
  const heading =
    single !== undefined
      ? open.length > 0
        ? single
        : text.resolved(single)
      : [open.length > 0 && text.began(open.length), over.length > 0 && text.ended(over.length)]
          .filter(Boolean)
          .join(', ');
  const more = lines.length - mostLines;
  return {
    title: `[${setting.server}] ${heading}`,
    lines: more > 0 ? [...lines.slice(0, mostLines), text.more(more)] : lines,
    tone: open[0]?.severity ?? 'good',
    link: linkOf(setting, first),
    linkText: text.open,
    began: open,
    ended: over,
  };
}

export function testMessage(setting: Setting): Message {
  const text = words[setting.language];
  return {
    title: `[${setting.server}] ${text.test}`,
    lines: [text.testText],
    tone: 'good',
    link: linkOf(setting, undefined),
    linkText: text.open,
    began: [],
    ended: [],
  };
}

/** The time of a certificate is its end. */
function hasStart({ topic }: NotedProblem): boolean {
  return topic !== 'certificate';
}

function rank({ severity }: NotedProblem): number {
  return severity === 'bad' ? 0 : 1;
}

function linkOf({ address, language }: Setting, problem: NotedProblem | undefined): string {
  if (address === '') return '';
  const { page = 'scenario', tab = 'overview' } = problem ?? {};
  return `${address}/mgmt/${language}/routers-${page}?tab=${encodeURIComponent(tab)}`;
}
