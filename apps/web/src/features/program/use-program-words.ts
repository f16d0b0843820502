import type { ProgramInput, ProgramRow } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { formatBitrate, formatCodec, formatDelay } from '../../components/figures/format-figures.ts';
import { protocolName } from '../../components/streams/facts/protocol-name.ts';
import { formatClock, joinSentences } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { conditionOf, type InputCondition, programCondition } from './program-state.ts';

type Named = Pick<ProgramInput, 'kind' | 'name'>;

/** Own name of an input, or its kind; numbered where several of a kind have none. */
export function useInputName(): (input: Named, all: readonly Named[]) => string {
  const { t } = useTranslation();
  return (input, all) => {
    if (input.name.trim() !== '') return input.name.trim();
    const unnamed = all.filter(({ kind, name }) => kind === input.kind && name.trim() === '');
    const kind = t(`program.kind.${input.kind}`);
    return unnamed.length > 1 ? t('program.numbered', { name: kind, number: unnamed.indexOf(input) + 1 }) : kind;
  };
}

interface InputWords {
  readonly condition: InputCondition;
  readonly word: string;
  /** Protocol, format and bitrate. */
  readonly facts: string;
  /** Remedy; empty if none is needed. */
  readonly remedy: string;
}

const withRemedy = ['absent', 'lost', 'silent', 'black', 'frozen', 'quiet', 'unfit', 'changes'] as const;

export function useInputWords(): (input: ProgramInput, program: ProgramRow) => InputWords {
  const { t } = useTranslation();
  const locale = useLocale();
  const absentText = ({ kind, stream }: ProgramInput) =>
    kind === 'slate' ? '' : t(`program.remedy.absent.${kind}`, { stream });
  return (input, { states }) => {
    const state = states.find(({ id }) => id === input.id);
    const onAir = states.find(({ isOnAir }) => isOnAir);
    const condition = conditionOf(input, state);
    const isSending = state !== undefined && state.protocol !== '';
    const facts = [
      isSending && input.kind !== 'pull' && input.kind !== 'file' && protocolName(state.protocol),
      isSending && state.kbps > 0 && formatBitrate(state.kbps, locale),
    ];
    const video = state && formatCodec(state.video);
    const wanted = onAir && formatCodec(onAir.video);
    const remedy = withRemedy.find((one) => one === condition);
    const texts = () => {
      if (remedy === 'absent') return absentText(input);
      if (remedy === 'unfit' || remedy === 'changes') {
        const both = video && wanted && t('program.formats', { video, wanted });
        return joinSentences(
          [both || '', t(`program.remedy.${remedy}`)].filter((text) => text !== ''),
          locale,
        );
      }
      return remedy ? t(`program.remedy.${remedy}`) : '';
    };
    return {
      condition,
      word: t(`program.condition.${condition}`),
      facts: facts.filter(Boolean).join(' · '),
      remedy: texts(),
    };
  };
}

/** "On Backup encoder since 20:14: connection closed", or what else is to be known of the program. */
export function useProgramLine(): (program: ProgramRow) => string {
  const { t } = useTranslation();
  const nameOf = useInputName();
  return (program) => {
    const { inputs, onAir, onAirSince, switches, isHeld } = program;
    const condition = programCondition(program);
    if (condition === 'off' || condition === 'waiting') return t(`program.line.${condition}`);
    const current = inputs.find(({ id }) => id === onAir);
    const name = current ? nameOf(current, inputs) : '';
    const time = formatClock(new Date(onAirSince));
    if (isHeld) return t('program.line.held', { name, time });
    const reason = switches.at(-1)?.reason;
    if (condition === 'main' || reason === undefined || reason === 'start')
      return t('program.line.since', { name, time });
    return t('program.line.because', { name, time, reason: t(`program.reason.${reason}`) });
  };
}

/** "20:14:05 · Main encoder → Backup encoder · connection closed · 53 ms without video" */
export function useSwitchText(): (one: ProgramRow['switches'][number], inputs: readonly ProgramInput[]) => string {
  const { t } = useTranslation();
  const locale = useLocale();
  const nameOf = useInputName();
  return ({ from, to, reason, at, gapMs }, inputs) => {
    const name = (id: string) => {
      const input = inputs.find((one) => one.id === id);
      return input ? nameOf(input, inputs) : id || t('program.nothing');
    };
    return [
      formatClock(new Date(at)),
      t('program.way', { from: name(from), to: name(to) }),
      t(`program.reason.${reason}`),
      gapMs > 0 && t('program.gap', { time: formatDelay(Math.round(gapMs), locale) }),
    ]
      .filter(Boolean)
      .join(' · ');
  };
}
