import type { TimelineEntry, TimelineEventKind } from '@weir/contract';
import type { TFunction } from 'i18next';
import { formatDuration } from '../../lib/format.ts';
import { formatCodec, formatDelay } from '../figures/format-figures.ts';
import { programInputName } from '../streams/program-input-name.ts';
import type { Tone } from '../ui/feedback/status-label.tsx';

const tones: Readonly<Record<Exclude<TimelineEventKind, 'verdict-changed'>, Tone>> = {
  'publisher-connected': 'ok',
  'publisher-left': 'off',
  'publisher-refused': 'warn',
  'format-changed': 'done',
  'program-switched': 'warn',
  'viewers-reached': 'done',
  'process-started': 'ok',
  'process-failed': 'bad',
  'process-ended': 'off',
  'callback-delivered': 'done',
  'callback-refused': 'warn',
  'callback-failed': 'bad',
  'recording-began': 'recording',
  'recording-ended': 'done',
  'recording-failed': 'bad',
  'publisher-kicked': 'warn',
  'viewer-kicked': 'warn',
  'setting-changed': 'done',
  'recorder-back': 'warn',
  'update-done': 'done',
  'update-failed': 'warn',
};
const verdictTones: Readonly<Record<string, Tone>> = { good: 'ok', ok: 'warn', bad: 'bad' };

/** A return, or a switch by the administrator, is no problem. */
const switchTones: Readonly<Record<string, Tone>> = { return: 'ok', manual: 'done' };

function toneOf({ what, facts }: TimelineEntry): Tone {
  if (what === 'verdict-changed') return verdictTones[facts.verdict ?? ''] ?? 'off';
  return (what === 'program-switched' && switchTones[facts.reason ?? '']) || tones[what];
}

interface Words {
  readonly t: TFunction;
  readonly locale: string;
  /** Display name of an output or source slot. */
  readonly slotName: (platform: string) => string;
}

interface EntryText {
  readonly tone: Tone;
  readonly title: string;
  /** Empty if the title says everything. */
  readonly detail: string;
}

/** Text of an entry. Unknown facts of a newer server are shown unchanged. */
export function describeEntry(entry: TimelineEntry, words: Words): EntryText {
  const { t } = words;
  const { what, facts, numbers } = entry;
  if (what === 'verdict-changed') {
    const ids = (facts.issues ?? '').split(' ').filter((id) => id !== '');
    const titles = ids.map((id) => worded(t, `diagnose.issue.${id}.title`, id));
    const verdict = worded(t, `diagnose.verdict.${facts.verdict}`, facts.verdict);
    const title = t('timeline.health', { verdict });
    return { tone: toneOf(entry), title, detail: titles.join(' · ') };
  }
  const isByKey = what === 'publisher-kicked' && facts.keyName;
  const title = t(isByKey ? 'timeline.keyEnded' : `timeline.what.${what}`, {
    number: facts.viewers,
    version: facts.version,
    name: processName(facts.process ?? '', words),
  });
  return { tone: toneOf(entry), title, detail: describeDetail({ facts, numbers }, words).filter(isThere).join(' · ') };
}

function describeDetail({ facts, numbers }: Pick<TimelineEntry, 'facts' | 'numbers'>, { t, locale }: Words) {
  const { protocol, address, reason, cause, event, status, area, size, fps, rate, channels } = facts;
  return [
    facts.to && [facts.from, facts.to].flatMap((id) => (id ? programInputName(id, t) : [])).join(' → '),
    protocol && protocolName(protocol),
    address,
    facts.input && programInputName(facts.input, t),
    facts.keyName && t('timeline.key', { key: facts.keyName }),
    reason !== undefined && worded(t, `timeline.reason.${reason || 'unknown'}`, reason),
    cause && worded(t, `process.why.${cause}`, cause),
    event,
    status && `HTTP ${status}`,
    area && worded(t, `timeline.area.${area}`, area),
    facts.video && formatCodec(facts.video),
    size?.replace('×', '\u00a0×\u00a0'),
    fps && t('live.facts.fps', { number: fps }),
    facts.audio,
    rate && `${Number(rate) / 1000} kHz`,
    channels && channelsText(channels, t),
    numbers.gapMs !== undefined && numbers.gapMs > 0 && t('program.gap', { time: formatDelay(numbers.gapMs, locale) }),
    numbers.seconds !== undefined && t('timeline.away', { duration: formatDuration(numbers.seconds, locale) }),
  ];
}

function channelsText(channels: string, t: Words['t']): string {
  if (channels === '1') return t('live.facts.mono');
  if (channels === '2') return t('live.facts.stereo');
  return t('timeline.channels', { number: channels });
}

/** `forward/wx` → Forward (YouTube), `program/…/pull` → Program (Pulled URL). */
function processName(key: string, { t, slotName }: Words): string {
  const [feature = '', slot = '', input = ''] = key.split('/');
  const name = worded(t, `timeline.process.${feature}`, feature);
  if (feature === 'program' && input !== '') return t('timeline.slot', { name, slot: programInputName(input, t) });
  return slot === '' || slot === 'main' ? name : t('timeline.slot', { name, slot: slotName(slot) });
}

function protocolName(protocol: string): string {
  return protocol === 'rtc' ? 'WebRTC' : protocol.toUpperCase();
}

function worded(t: TFunction, key: string, otherwise = ''): string {
  return t(key as 'timeline.title', { defaultValue: otherwise });
}

function isThere(text: string | false | undefined): text is string {
  return typeof text === 'string' && text !== '';
}
