import {
  fieldsOfService,
  type NotificationChannelRow,
  type NotificationRules,
  type NotificationService,
  type NotificationTopic,
  notificationsApi,
} from '@weir/contract';
import { linesOf } from '../../lib/lines-of.ts';

/** Typed values of a channel. */
export interface ChannelDraft {
  readonly name: string;
  readonly service: NotificationService;
  readonly language: 'en' | 'zh';
  readonly fields: Readonly<Record<string, string>>;
  readonly topics: readonly NotificationTopic[];
  readonly severity: NotificationRules['severity'];
  /** One per line. */
  readonly streams: string;
  readonly resolved: boolean;
  readonly digest: NotificationRules['digest'];
  readonly isQuiet: boolean;
  readonly quietFrom: string;
  readonly quietTo: string;
  readonly quietExceptBad: boolean;
  readonly zone: string;
}

/** Time zone of this browser. */
const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function blankDraft(language: 'en' | 'zh'): ChannelDraft {
  const service = 'email';
  return {
    name: '',
    service,
    language,
    fields: initialFields(service),
    topics: [],
    severity: 'all',
    streams: '',
    resolved: true,
    digest: 'none',
    isQuiet: false,
    quietFrom: '22:00',
    quietTo: '07:00',
    quietExceptBad: true,
    zone: browserZone(),
  };
}

/** What a service starts with. */
export function initialFields(service: NotificationService): Record<string, string> {
  return Object.fromEntries(fieldsOfService(service).map(({ name, initial = '' }) => [name, initial]));
}

export function toDraft({ name, service, language, fields, rules }: NotificationChannelRow): ChannelDraft {
  const { quiet, streams, zone, ...others } = rules;
  return {
    ...others,
    name,
    service,
    language,
    fields,
    streams: streams.join('\n'),
    isQuiet: quiet.on,
    quietFrom: quiet.from,
    quietTo: quiet.to,
    zone: zone || browserZone(),
  };
}

export function toChange(draft: ChannelDraft, stored: Pick<NotificationChannelRow, 'id' | 'enabled'> | undefined) {
  const { name, service, language, fields, topics, severity, resolved, digest, quietExceptBad, zone } = draft;
  return {
    ...(stored && { id: stored.id, enabled: stored.enabled }),
    name: name.trim(),
    service,
    language,
    fields,
    rules: {
      topics: [...topics],
      severity,
      resolved,
      digest,
      quietExceptBad,
      zone,
      streams: linesOf(draft.streams),
      quiet: { on: draft.isQuiet, from: draft.quietFrom, to: draft.quietTo },
    },
  };
}

type DraftProblem = 'required' | 'urlInvalid' | 'portInvalid' | 'nameMissing' | 'streamsInvalid' | 'timeInvalid';

/** First problem of each field, by its name. */
export function findProblems(draft: ChannelDraft): ReadonlyMap<string, DraftProblem> {
  const problems = new Map<string, DraftProblem>();
  if (draft.name.trim() === '') problems.set('name', 'nameMissing');
  for (const { name, isOptional } of fieldsOfService(draft.service)) {
    const value = (draft.fields[name] ?? '').trim();
    const isAddress = name === 'server' || name === 'url';
    // Masked parts of a stored URL are no URL.
    const isTyped = value !== '' && !value.includes('\u2022');
    if (value === '' && !isOptional) problems.set(name, 'required');
    else if (isAddress && isTyped && !/^https?:\/\/./i.test(value)) problems.set(name, 'urlInvalid');
    else if (name === 'port' && !(Number.isInteger(Number(value)) && Number(value) >= 1 && Number(value) <= 65_535)) {
      problems.set(name, 'portInvalid');
    }
  }
  const rules = notificationsApi.save.body.shape.rules.unwrap().shape;
  if (!rules.streams.safeParse(linesOf(draft.streams)).success) problems.set('streams', 'streamsInvalid');
  const isTime = (text: string) => /^\d\d:\d\d$/.test(text);
  if (draft.isQuiet && !(isTime(draft.quietFrom) && isTime(draft.quietTo))) problems.set('quiet', 'timeInvalid');
  return problems;
}
