import { defaultVhost, Glob, isUsableName } from '@weir/streams';
import * as z from 'zod';
import { limits } from '../constants.ts';
import { post } from '../endpoint.ts';
import { Source, SourceRef, sourceLimits } from './source.ts';

export const programLimits = {
  programs: 100,
  inputs: 10,
  nameCharacters: 80,
  keyCharacters: 128,
  keyLeast: 8,
  /** Limits of a time without a picture after which an input is lost. */
  failMs: { least: 100, most: 30_000 },
  slateSeconds: 7 * 24 * 3600,
  slateRules: 50,
  rehearseSeconds: { least: 2, most: 60 },
  slateTextCharacters: 120,
  /** Bitrate of a slate, in kbit/s. */
  leastBitrate: 4000,
  /** Limit of a black, frozen or silent input, after which it is lost. */
  faultSeconds: 600,
  /** Minimum age before a new preview is made. */
  previewMs: 3000,
} as const;

/**
 * Origin of an input. `publisher`: whoever publishes the stream with its usual key. `backup`: another encoder at the same address with a
 * key of its own. `pull`: a URL that this server reads. `stream`: another stream of this server. `file`: sources of the library in a loop.
 * `slate`: picture and silence of our own while there is nothing else, at most once and last.
 */
const programInputKinds = ['publisher', 'backup', 'pull', 'stream', 'file', 'slate'] as const;

const inputId = z.string().regex(/^[a-z0-9-]{1,40}$/, 'may contain only small letters, digits and hyphens');
const Key = z.string().max(programLimits.keyCharacters);
const Name = z.string().max(programLimits.nameCharacters);

export const ProgramInput = z.object({
  id: inputId,
  kind: z.enum(programInputKinds),
  /** For people; may be empty. */
  name: Name.default(''),
  /** Key of a backup, which alone distinguishes its encoder from the main one. */
  key: Key.default(''),
  /** Address of a pull. */
  url: z.string().max(sourceLimits.urlCharacters).default(''),
  /** Reads a pull only while no better input can be on air. */
  isCold: z.boolean().default(false),
  /** Name of a stream, as `app/name` or `vhost/app/name`. */
  stream: z.string().max(limits.streamNameCharacters).default(''),
  /** Ids of accepted sources of a file input, in playing order. */
  files: z.array(z.string().max(64)).max(sourceLimits.files).default([]),
  /** Id of a slate's uploaded picture or short video; empty for the default picture. */
  picture: z.string().max(64).default(''),
  /** Text on a slate. */
  text: z.string().trim().max(programLimits.slateTextCharacters).default(''),
  /** Id of an uploaded file whose audio a slate plays in a loop; empty for silence. */
  music: z.string().max(64).default(''),
  /** Fills a slate's video up to this many kbit/s, for platforms that warn of low bitrates; 0 for none. */
  leastBitrate: z.int().min(0).max(programLimits.leastBitrate).default(0),
});
export type ProgramInput = z.infer<typeof ProgramInput>;

const place = {
  vhost: z.string().min(1).max(limits.streamNameCharacters).default(defaultVhost),
  app: z.string().min(1).max(limits.streamNameCharacters),
  stream: z.string().min(1).max(limits.streamNameCharacters),
};

const faultSeconds = z.int().min(0).max(programLimits.faultSeconds).default(0);

const rules = {
  enabled: z.boolean().default(true),
  /** An input is lost after this long without a picture, at least three of its frames. A closed connection is lost at once. */
  failMs: z.int().min(programLimits.failMs.least).max(programLimits.failMs.most).default(1000),
  /** A higher input is taken back by itself once it was healthy for `returnSeconds`. */
  isReturning: z.boolean().default(true),
  returnSeconds: z.number().min(0).max(3600).default(5),
  /** Least time between automatic returns; grows while an input flaps. */
  leastSeconds: z.number().min(0).max(3600).default(10),
  /** Slate after this long without any input, and for how long; 0 for no end. */
  slateAfterMs: z.int().min(0).max(60_000).default(2000),
  slateSeconds: z.int().min(0).max(programLimits.slateSeconds).default(0),
  /** An input is lost after this many seconds of black or frozen video, or of silence; 0 never looks. */
  blackSeconds: faultSeconds,
  frozenSeconds: faultSeconds,
  quietSeconds: faultSeconds,
  /** Inputs of another codec, size, frame rate, sample rate or number of channels are re-encoded to the form of the first one. */
  isConforming: z.boolean().default(false),
};

/** One stream from an ordered list of inputs. */
export const Program = z.object({
  uuid: z.string(),
  ...place,
  ...rules,
  inputs: z.array(ProgramInput),
});
export type Program = z.infer<typeof Program>;

const usable = (name: string) => isUsableName(name);

const ProgramChange = z.object({
  /** Absent for a new one. */
  uuid: z.string().max(64).optional(),
  vhost: place.app.refine(usable, 'is not a valid name').default(defaultVhost),
  app: place.app.refine(usable, 'is not a valid name'),
  stream: place.stream.refine(usable, 'is not a valid name'),
  ...rules,
  inputs: z
    .array(ProgramInput.extend({ id: inputId.optional() }))
    .min(1)
    .max(programLimits.inputs),
});

/**
 * `absent`: nobody sends. `starting`: no keyframe yet. `good`: can be on air. `lost`: was there. `unfit`: another codec than the program's,
 * so it is passed over.
 */
const programInputStates = ['absent', 'starting', 'good', 'lost', 'unfit'] as const;
/**
 * `same`: viewers do not notice a switch. `changes`: other size or parameters, decoders are set up anew. `conformed`: re-encoded to the
 * form of the first input, which costs a part of a core.
 */
const programFits = ['unknown', 'same', 'changes', 'conformed', 'unfit'] as const;
/** `silent`: no frames arrive. `black`, `frozen` and `quiet` are faults of what arrives. */
const programSwitchReasons = [
  ...(['start', 'closed', 'silent', 'return', 'manual', 'unfit', 'removed'] as const),
  ...(['black', 'frozen', 'quiet'] as const),
] as const;
/** Fault of an input whose frames arrive: black or frozen video, or silence, longer than the program allows. Empty for none. */
const programFaults = ['', 'black', 'frozen', 'quiet'] as const;

const ProgramInputState = z.object({
  id: z.string(),
  state: z.enum(programInputStates),
  fit: z.enum(programFits),
  isOnAir: z.boolean(),
  /** Time since its last picture, and for how long it has been good. */
  silentMs: z.number(),
  goodMs: z.number(),
  kbps: z.number(),
  fps: z.number(),
  /** Codec and size, as `H264 1920x1080`. */
  video: z.string(),
  audio: z.string(),
  /** rtmp, srt or rtc; empty without a publisher. */
  protocol: z.string(),
  fault: z.enum(programFaults),
});

const ProgramSwitch = z.object({
  /** Ids of inputs; empty for nothing. */
  from: z.string(),
  to: z.string(),
  reason: z.enum(programSwitchReasons),
  at: z.string(),
  /** Time without a picture, as viewers without a buffer saw it. */
  gapMs: z.number(),
});

const ProgramRow = Program.extend({
  /** Id of the input on air; empty while there is none. */
  onAir: z.string(),
  /** Empty while there is none. */
  onAirSince: z.string(),
  /** Input whose next keyframe is waited for. */
  armed: z.string(),
  /** An operator chose the input on air: nothing is taken back by itself. */
  isHeld: z.boolean(),
  states: z.array(ProgramInputState),
  /** The last ones, newest last. */
  switches: z.array(ProgramSwitch),
});
export type ProgramRow = z.infer<typeof ProgramRow>;

/** When the publisher of a stream without a program drops, a slate is shown for up to `seconds`. The first rule that matches counts. */
export const SlateRule = z.object({
  /** A glob over `/app/name`. */
  pattern: z
    .string()
    .trim()
    .min(1)
    .max(limits.streamNameCharacters)
    .refine((text) => Glob.parse(text) instanceof Glob, 'is not a valid pattern'),
  seconds: z.int().min(1).max(programLimits.slateSeconds),
});
export type SlateRule = z.infer<typeof SlateRule>;

const Uuid = z.string().max(64).default('');

/** Protocols that viewers play a program by. */
const rehearsedProtocols = ['rtmp', 'flv', 'srt', 'whep', 'll-hls', 'hls'] as const;
/** Reasons for a missing preview. */
const noPreviewReasons = ['not-live', 'no-video', 'undecodable', 'no-ffmpeg', 'unsupported'] as const;

export const programApi = {
  query: post('/terraform/v1/live/program/query', {
    summary: 'List programs with the state of their inputs, and the slate rules of other streams',
    data: z.object({
      programs: z.array(ProgramRow),
      slates: z.array(SlateRule),
      /** False with a separate SRS, which has no programs. */
      isAvailable: z.boolean(),
    }),
  }),
  save: post('/terraform/v1/live/program/save', {
    summary: 'Create a program, or change the one of an id; a missing key of a backup input is made',
    body: ProgramChange,
    data: Program,
  }),
  remove: post('/terraform/v1/live/program/remove', {
    summary: 'Remove a program; its publishers are disconnected and return as ordinary ones',
    body: z.object({ uuid: Uuid }),
    data: z.null(),
  }),
  switch: post('/terraform/v1/live/program/switch', {
    summary: 'Switch to an input and stay there; an empty `input` lets the program return by itself again',
    body: z.object({ uuid: Uuid, input: z.string().max(40).default('') }),
    data: z.null(),
  }),
  rehearse: post('/terraform/v1/live/program/rehearse', {
    summary: 'Cut the input on air off for some seconds, as if its line broke, and report the switch',
    body: z.object({
      uuid: Uuid,
      seconds: z.int().min(programLimits.rehearseSeconds.least).max(programLimits.rehearseSeconds.most).default(10),
    }),
    data: z.object({
      input: z.string(),
      /** Null where nothing took over while it was watched. */
      switched: ProgramSwitch.nullable(),
      /** Longest time without new video while it was watched, as it left this server by each protocol. */
      gaps: z.array(z.object({ protocol: z.enum(rehearsedProtocols), gapMs: z.number() })),
    }),
  }),
  files: post('/terraform/v1/live/program/files', {
    summary: 'Check prepared files and keep them for an input of kind `file`',
    body: z.object({ files: z.array(SourceRef).min(1).max(sourceLimits.files) }),
    data: z.array(Source),
  }),
  /** Answers with `image/jpeg`; an envelope only without a preview and for failures. */
  preview: post('/terraform/v1/live/program/preview', {
    summary:
      'Get a picture of an input, or of the slate, as image/jpeg, at most 3 seconds old; without one, `data` has the reason',
    body: z.object({ uuid: Uuid, input: z.string().max(40).default('') }),
    data: z.object({ reason: z.enum(noPreviewReasons) }),
  }),
  slates: post('/terraform/v1/live/program/slates', {
    summary: 'Set for which streams without a program a slate is shown when the publisher drops',
    body: z.object({ slates: z.array(SlateRule).max(programLimits.slateRules) }),
    data: z.null(),
  }),
} as const;
