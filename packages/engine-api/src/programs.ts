import { MalformedMessage, MessageFields, maxNameLength, type WirePlace } from '@weir/streams';
import { decodeMovie } from './keyframe.ts';
import { decodePlace } from './place.ts';

/** One input of a program, by its id. `source` names another stream; without it the input has a publisher of its own. */
interface ProgramInputPlan {
  readonly id: string;
  readonly source?: WirePlace;
  /** Instead of the program's, for an input that usually pauses for longer. */
  readonly failMs?: number;
}

/** A program as the engine runs it. Times are milliseconds. */
export interface ProgramPlan extends WirePlace {
  /** Configured by the owner; others exist while they have a publisher. */
  readonly isLasting: boolean;
  /** In the order of preference. */
  readonly inputs: readonly ProgramInputPlan[];
  readonly failMs: number;
  /** -1: a better input is taken back by hand only. */
  readonly returnMs: number;
  readonly leastMs: number;
  /** Inputs of another form are encoded to that of the first one. */
  readonly isConforming: boolean;
  /** `mostMs` 0: without an end. Absent: no slate. */
  readonly slate?: ProgramSlate;
}

/** Slate shown without any input. The control plane makes its files in the folder of slates; empty for the default ones. */
interface ProgramSlate {
  readonly afterMs: number;
  readonly mostMs: number;
  readonly picture: string;
  readonly music: string;
  readonly leastKbps: number;
}

/** Below the data directory. */
export const slateFolder = 'slates';
const slateFile = /^(?:|[0-9a-f]{32}\.(?:png|mkv|flac))$/;

const programInputStates = ['absent', 'starting', 'good', 'lost', 'unfit'] as const;
type ProgramInputState = (typeof programInputStates)[number];
const programFits = ['unknown', 'same', 'changes', 'conformed', 'unfit'] as const;
type ProgramFit = (typeof programFits)[number];
const programSwitchReasons = [
  ...(['start', 'closed', 'silent', 'return', 'manual', 'unfit', 'removed'] as const),
  ...(['black', 'frozen', 'quiet'] as const),
] as const;
const programFaults = ['', 'black', 'frozen', 'quiet'] as const;
export type ProgramFault = (typeof programFaults)[number];
type ProgramSwitchReason = (typeof programSwitchReasons)[number];

/** Media that an input receives now. */
interface ProgramInputStatus {
  readonly id: string;
  readonly state: ProgramInputState;
  readonly fit: ProgramFit;
  /** Since its last picture, or its last audio where it has no pictures; 0 before the first. */
  readonly silentMs: number;
  readonly goodMs: number;
  readonly kbps: number;
  readonly fps: number;
  /** Format such as `H264 1920x1080`; empty without video. */
  readonly video: string;
  readonly audio: string;
  /** The kind of its publisher, such as `srt-publish`; empty without one. */
  readonly protocol: string;
  readonly clientId: string;
  /** Fault of frames that arrive. */
  readonly fault: ProgramFault;
}

interface ProgramSwitchFact {
  /** Ids of inputs, `slate`, or empty. */
  readonly fromId: string;
  readonly toId: string;
  readonly reason: ProgramSwitchReason;
  readonly atMs: number;
  readonly gapMs: number;
}

const rehearsedProtocols = ['rtmp', 'flv', 'srt', 'whep', 'll-hls', 'hls'] as const;

/** Longest time without new video, as it left the engine by one protocol. */
export interface ProtocolGap {
  readonly protocol: (typeof rehearsedProtocols)[number];
  readonly gapMs: number;
}

export interface ProgramStatus extends WirePlace {
  readonly onAir: string;
  /** When it came on air, in milliseconds of the date. */
  readonly onAirAtMs: number;
  /** Input that is waited for. */
  readonly armed: string;
  readonly isHeld: boolean;
  readonly inputs: readonly ProgramInputStatus[];
  readonly switches: readonly ProgramSwitchFact[];
  /** Gaps in the last rehearsal. */
  readonly gaps: readonly ProtocolGap[];
}

export interface ProgramReport extends WirePlace, ProgramSwitchFact {}

const mostPrograms = 200;
const mostProgramInputs = 10;
const mostSwitches = 100;

function decodeProgramPlan(value: unknown): ProgramPlan {
  const fields = new MessageFields(value);
  return {
    ...decodePlace(value),
    isLasting: fields.flag('isLasting'),
    inputs: fields.list('inputs', mostProgramInputs, decodeInputPlan),
    failMs: fields.number('failMs'),
    returnMs: fields.value('returnMs') === -1 ? -1 : fields.number('returnMs'),
    leastMs: fields.number('leastMs'),
    isConforming: fields.flag('isConforming'),
    ...(fields.has('slate') && { slate: fields.part('slate', decodeSlate) }),
  };
}

export function decodeProgramPlans(fields: MessageFields): ProgramPlan[] {
  return fields.list('programs', mostPrograms, decodeProgramPlan);
}

function decodeInputPlan(value: unknown): ProgramInputPlan {
  const fields = new MessageFields(value);
  return {
    id: inputId(fields, 'id', 1),
    ...(fields.has('source') && { source: fields.part('source', decodePlace) }),
    ...(fields.has('failMs') && { failMs: fields.number('failMs') }),
  };
}

function decodeSlate(value: unknown): ProgramSlate {
  const fields = new MessageFields(value);
  return {
    afterMs: fields.number('afterMs'),
    mostMs: fields.number('mostMs'),
    picture: slateFileOf(fields, 'picture'),
    music: slateFileOf(fields, 'music'),
    leastKbps: fields.number('leastKbps'),
  };
}

function slateFileOf(fields: MessageFields, name: string): string {
  const file = fields.text(name, { most: 64 });
  if (!slateFile.test(file)) throw new MalformedMessage(name, 'must be a file of slates');
  return file;
}

function inputId(fields: MessageFields, name: string, least = 0): string {
  return fields.text(name, { least, most: 64 });
}

/** A publisher was accepted as an input of a program. */
export interface InputChoice {
  readonly input: string;
  readonly program: ProgramPlan;
}

/** The data of an accepted `on_publish`; undefined of an ordinary publisher. */
export function decodeInputChoice(data: unknown): InputChoice | undefined {
  if (typeof data !== 'object' || data === null || !('program' in data)) return undefined;
  const fields = new MessageFields(data);
  return { input: inputId(fields, 'input', 1), program: fields.part('program', decodeProgramPlan) };
}

export function decodeProgramSwitch(body: unknown): WirePlace & { readonly input: string } {
  return { ...decodePlace(body), input: inputId(new MessageFields(body), 'input') };
}

/** Sample of an input's current media, for fault detection. */
export interface InputSample {
  /** MP4 of its last keyframe and its last two seconds of audio, in base64; empty without both. */
  readonly movie: string;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  /** Time of the keyframe on the input's clock, by which a new one is known. */
  readonly keyframeMs: number;
}

export function decodeInputOf(body: unknown): WirePlace & { readonly input: string } {
  return { ...decodePlace(body), input: inputId(new MessageFields(body), 'input', 1) };
}

export function decodeInputSample(data: unknown): InputSample {
  const fields = new MessageFields(data);
  return {
    movie: decodeMovie(data),
    hasVideo: fields.flag('hasVideo'),
    hasAudio: fields.flag('hasAudio'),
    keyframeMs: fields.number('keyframeMs'),
  };
}

export function decodeFault(body: unknown): WirePlace & { readonly input: string; readonly fault: ProgramFault } {
  return { ...decodeInputOf(body), fault: new MessageFields(body).oneOf('fault', programFaults) };
}

export function decodeRehearsal(body: unknown): WirePlace & { readonly input: string; readonly forMs: number } {
  return { ...decodeProgramSwitch(body), forMs: new MessageFields(body).number('forMs') };
}

/** Why a switch was not made; empty when it was. */
export function decodeSwitchAnswer(data: unknown): { readonly refusal: string } {
  return { refusal: new MessageFields(data).text('refusal') };
}

export function decodePrograms(data: unknown): { readonly programs: readonly ProgramStatus[] } {
  return { programs: new MessageFields(data).list('programs', mostPrograms * 10, decodeProgram) };
}

function decodeProgram(value: unknown): ProgramStatus {
  const fields = new MessageFields(value);
  return {
    ...decodePlace(value),
    onAir: inputId(fields, 'onAir'),
    onAirAtMs: fields.number('onAirAtMs'),
    armed: inputId(fields, 'armed'),
    isHeld: fields.flag('isHeld'),
    inputs: fields.list('inputs', mostProgramInputs, decodeInput),
    switches: fields.list('switches', mostSwitches, decodeSwitch),
    gaps: fields.list('gaps', rehearsedProtocols.length, decodeGap),
  };
}

function decodeInput(value: unknown): ProgramInputStatus {
  const fields = new MessageFields(value);
  return {
    id: inputId(fields, 'id', 1),
    state: fields.oneOf('state', programInputStates),
    fit: fields.oneOf('fit', programFits),
    silentMs: fields.number('silentMs'),
    goodMs: fields.number('goodMs'),
    kbps: fields.number('kbps'),
    fps: fields.number('fps'),
    video: fields.text('video', { most: maxNameLength }),
    audio: fields.text('audio', { most: maxNameLength }),
    protocol: fields.text('protocol', { most: 64 }),
    clientId: fields.text('clientId', { most: 64 }),
    fault: fields.oneOf('fault', programFaults),
  };
}

function decodeSwitch(value: unknown): ProgramSwitchFact {
  const fields = new MessageFields(value);
  return {
    fromId: inputId(fields, 'fromId'),
    toId: inputId(fields, 'toId'),
    reason: fields.oneOf('reason', programSwitchReasons),
    atMs: fields.number('atMs'),
    gapMs: fields.number('gapMs'),
  };
}

function decodeGap(value: unknown): ProtocolGap {
  const fields = new MessageFields(value);
  return { protocol: fields.oneOf('protocol', rehearsedProtocols), gapMs: fields.number('gapMs') };
}

/** Body of the hook for a switch that was made. */
export function parseProgramReport(body: unknown): ProgramReport {
  return { ...decodePlace(body), ...decodeSwitch(body) };
}
