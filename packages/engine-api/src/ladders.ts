import {
  type LadderEncoder,
  type LadderEncoding,
  type LadderRung,
  ladderEncoders,
  ladderLimits,
  ladderPresets,
  MalformedMessage,
  MessageFields,
  renderDevice,
  type WirePlace,
} from '@weir/streams';
import { decodePlace } from './place.ts';

/** Lower qualities that are made of one stream, best first. */
export interface LadderPlan extends WirePlace, LadderEncoding {
  /** Only while the stream has viewers. */
  readonly isOnDemand: boolean;
  /** Audio alone is the lowest quality, for players of HLS. */
  readonly hasAudioOnly: boolean;
}

/** `idle`: this stream needs no lower quality. `unwatched`: made on demand, without viewers now. */
const ladderStates = ['waiting', 'idle', 'unwatched', 'starting', 'running', 'failing'] as const;
export type LadderState = (typeof ladderStates)[number];

export interface LadderStatus extends WirePlace {
  readonly encoder: LadderEncoder;
  readonly state: LadderState;
  /** Why it does not run, in words; empty where nothing is wrong. */
  readonly reason: string;
  /** Frames were left out in the last seconds, since the encoder does not keep up. */
  readonly isBehind: boolean;
  /** Process id of ffmpeg; 0 without one. */
  readonly pid: number;
  readonly starts: number;
  /** Consecutive failures. */
  readonly failures: number;
  /** Qualities in production. `name`: empty before the first frame. */
  readonly rungs: readonly { readonly lines: number; readonly name: string; readonly kbps: number }[];
}

const mostLadders = 1000;
const longestText = 300;

export function decodeLadderPlans(fields: MessageFields): LadderPlan[] {
  return fields.list('ladders', mostLadders, decodePlan);
}

function decodePlan(value: unknown): LadderPlan {
  const fields = new MessageFields(value);
  const device = fields.text('device', { most: 64 });
  if (device !== '' && !renderDevice.test(device)) throw new MalformedMessage('device', 'must be a render device');
  return {
    ...decodePlace(value),
    encoder: fields.oneOf('encoder', ladderEncoders),
    preset: fields.oneOf('preset', ladderPresets),
    device,
    isOnDemand: fields.flag('isOnDemand'),
    hasAudioOnly: fields.flag('hasAudioOnly'),
    rungs: fields.list('rungs', ladderLimits.rungs, decodeRung),
  };
}

function decodeRung(value: unknown): LadderRung {
  const fields = new MessageFields(value);
  const within = (name: 'lines' | 'kbps') => {
    const { least, most } = ladderLimits[name];
    const number = fields.whole(name);
    if (number < least || number > most) throw new MalformedMessage(name, `must be from ${least} to ${most}`);
    return number;
  };
  return { lines: within('lines'), kbps: within('kbps') };
}

export function decodeLadders(data: unknown): { readonly ladders: readonly LadderStatus[] } {
  return { ladders: new MessageFields(data).list('ladders', mostLadders, decodeStatus) };
}

function decodeStatus(value: unknown): LadderStatus {
  const fields = new MessageFields(value);
  return {
    ...decodePlace(value),
    encoder: fields.oneOf('encoder', ladderEncoders),
    state: fields.oneOf('state', ladderStates),
    reason: fields.text('reason', { most: longestText }),
    isBehind: fields.flag('isBehind'),
    pid: fields.whole('pid'),
    starts: fields.whole('starts'),
    failures: fields.whole('failures'),
    rungs: fields.list('rungs', ladderLimits.rungs, (rung) => {
      const facts = new MessageFields(rung);
      return { lines: facts.whole('lines'), name: facts.text('name', { most: 64 }), kbps: facts.whole('kbps') };
    }),
  };
}
