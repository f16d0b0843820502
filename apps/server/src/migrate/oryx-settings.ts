import {
  BitrateLimits,
  CameraOutlet,
  CertProvider,
  ForwardOutlet,
  isFeaturePlatform,
  OcrConfig,
  Outlet,
  type OutletFeature,
  PublishSecret,
  Room,
  SourceProbe,
  TranscodeConfig,
  TranscriptConfig,
} from '@weir/contract';
import * as z from 'zod';
import { parseJson } from '../core/json.ts';
import type { KeyValue } from '../core/store/redis/read-keys.ts';
import { fitting, type ImportPart, left, row, taken } from './import/import-part.ts';

const names: Record<OutletFeature, string> = { forward: 'Forward', vlive: 'Virtual live', camera: 'Camera' };

/** Files are known by their ids; of those only streams are on no disk. */
const OryxFile = z.looseObject({ uuid: z.uuid(), target: z.string(), type: z.string(), name: z.string().default('') });
const OryxSlot = Outlet.extend({ files: z.array(OryxFile).nullish() });

/** The slots of one feature: platform -> JSON. */
function oryxOutlets(feature: OutletFeature, slots: Readonly<Record<string, string>>, now: Date): ImportPart[] {
  return Object.entries(slots).map(([platform, text]) => {
    const what = `${names[feature]} ${platform}`;
    if (!isFeaturePlatform(feature, platform)) return left(what, 'not the name of a destination');
    const found = parseJson(text);
    if (typeof found !== 'object') return left(what, 'the entry is damaged');
    const value = { ...found, platform };
    return feature === 'forward'
      ? fitting(what, ForwardOutlet, value, (slot) => taken(what, [row(feature, platform, slot)]))
      : sourceSlot({ feature, what, platform, value, now });
  });
}

interface SlotFacts {
  readonly feature: 'vlive' | 'camera';
  readonly what: string;
  readonly platform: string;
  readonly value: object;
  readonly now: Date;
}

function sourceSlot({ feature, what, platform, value, now }: SlotFacts): ImportPart {
  return fitting(what, OryxSlot, value, ({ files, ...slot }) => {
    const streams = (files ?? []).filter(({ type }) => type === 'stream');
    const sources = streams.map(({ uuid, target, name, ...file }) =>
      row('source', uuid, {
        uuid,
        type: 'stream',
        state: 'accepted',
        name: name || target,
        path: target,
        created: now.toISOString(),
        probe: SourceProbe.safeParse(file).data ?? null,
      }),
    );
    const extraAudio = feature === 'camera' && {
      extraAudio: CameraOutlet.parse({ ...slot, ...value, files: [] }).extraAudio,
    };
    const isWhole = streams.length > 0 && streams.length === files?.length;
    const kept = { ...slot, ...extraAudio, files: streams.map(({ uuid }) => uuid), enabled: slot.enabled && isWhole };
    const note = isWhole ? undefined : 'the files are on the old server: add them again, then start the stream';
    return taken(what, [row(feature, platform, kept), ...sources], note);
  });
}

type Hash = Readonly<Record<string, string>>;
type Converter = (hash: Hash, facts: Facts) => ImportPart | ImportPart[];

interface Facts {
  readonly now: Date;
  readonly keys: ReadonlyMap<string, KeyValue>;
}

const isOn = (text: string | undefined) => text === 'true' || text === '1';
const ApiSecret = z.string().regex(/^srs-v[12]-[0-9a-f]{32}$/);
const Globs = z.array(z.string().max(65536)).max(1000).catch([]);
const running = 'state of a running server';

/** Converts a JSON configuration into one row of our store. */
function whole(what: string, collection: string, schema: z.ZodType): Converter {
  return ({ global = '' }) =>
    fitting(what, schema, parseJson(global), (value) => taken(what, [row(collection, 'global', value)]));
}

const converters: Readonly<Record<string, Converter>> = {
  SRS_PLATFORM_SECRET: ({ token }, { now }) =>
    fitting('API secret', ApiSecret, token, (secret) =>
      taken('API secret', [row('api-secret', 'admin', { secret, updatedAt: now.getTime() })]),
    ),
  SRS_AUTH_SECRET: ({ pubSecret, pubNoAuth }, { now }) => [
    fitting('Publish secret', PublishSecret, pubSecret, (secret) =>
      taken('Publish secret', [row('publish-secret', 'publish', { secret, updatedAt: now.getTime() })]),
    ),
    taken('Publish authentication', [row('publish-mode', 'publish', { noAuth: isOn(pubNoAuth) })]),
  ],
  SRS_HOOKS: ({ target = '', opaque = '', all, host = '' }) =>
    taken(
      'Callbacks',
      [row('hooks', 'hooks', { target, opaque, all: isOn(all), host })],
      'if the receiver is in your own network, allow private addresses in the callback settings',
    ),
  SRS_HP_HLS: ({ noHlsCtx }, { keys }) => {
    const low = keys.get('SRS_LL_HLS');
    const hlsLowLatency = typeof low === 'object' && isOn(low.hlsLowLatency);
    return taken('HLS', [row('hls', 'hls', { noHlsCtx: isOn(noHlsCtx), hlsLowLatency })]);
  },
  SRS_LL_HLS: ({ hlsLowLatency }, { keys }) =>
    keys.has('SRS_HP_HLS') ? [] : taken('HLS', [row('hls', 'hls', { hlsLowLatency: isOn(hlsLowLatency) })]),
  SRS_BEIAN: ({ title = '', icp = '' }) => taken('Site texts', [row('branding', 'site', { title, icp })]),
  SRS_SYS_LIMITS: (limits) => {
    const numbers = Object.fromEntries(Object.entries(limits).map(([name, text]) => [name, Number(text)]));
    const what = 'Source limits';
    return fitting(what, BitrateLimits, numbers, (value) => taken(what, [row('limits', 'sources', value)]));
  },
  SRS_SYS_OPENAI: ({ key = '', url = '', org = '' }) =>
    taken('AI provider', [row('llm', 'provider', { aiSecretKey: key, aiBaseURL: url, aiOrganization: org })]),
  SRS_RECORD_PATTERNS: ({ all, globs = '[]', 'post-cp-file': processCpDir = '' }) =>
    taken('Record', [
      row('record', 'settings', { all: isOn(all), globs: Globs.parse(parseJson(globs)), processCpDir }),
    ]),
  SRS_FORWARD_CONFIG: (slots, { now }) => oryxOutlets('forward', slots, now),
  SRS_VLIVE_CONFIG: (slots, { now }) => oryxOutlets('vlive', slots, now),
  SRS_CAMERA_CONFIG: (slots, { now }) => oryxOutlets('camera', slots, now),
  SRS_TRANSCODE_CONFIG: whole('Transcode', 'transcode', TranscodeConfig),
  SRS_TRANSCRIPT_CONFIG: whole('Transcript', 'transcript', TranscriptConfig),
  SRS_OCR_CONFIG: whole('OCR', 'ocr', OcrConfig),
  SRS_LIVE_ROOM: (rooms) =>
    Object.entries(rooms).map(([uuid, text]) => {
      const what = `Live room ${uuid}`;
      return fitting(what, Room, parseJson(text), (room) => taken(what, [row('rooms', room.uuid, room)]));
    }),
};

/** Why the rest stays where it is, by how its name begins. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/_TASK$|_WORKING$|^SRS_STREAM_|^SRS_STAT_|^SRS_UPGRADING$|^SRS_FIRST_BOOT$|^SRS_LOCALE$/, running],
  [/_ARTIFACT$|_METADATA$/, 'recordings stay on the old server, with their files'],
  [/^SRS_DUBBING_/, 'projects stay on the old server, with their files'],
  [/^SRS_(TENCENT|DVR|VOD)_/, 'set up the cloud account again in the console'],
  [/^SRS_SECRET_PUBLISH$/, 'a second copy of the publish secret'],
  [/^SRS_CACHE_/, 'a cache'],
  [/^SRS_(HTTP_REWRITE|HTTP_PROXY|DNS_LB_|UPGRADE_|LIMIT$)/, 'from an older release; set it again in the console'],
  [/^SRS_HTTPS_DOMAIN$/, 'came with the certificate'],
];

/** Converts everything Oryx keeps in Redis into our rows, or states why not. */
export function oryxSettings(keys: ReadonlyMap<string, KeyValue>, now: Date): ImportPart[] {
  return [...keys].flatMap(([name, value]) => {
    if (name === 'SRS_HTTPS' && typeof value === 'string') return certificate(value, keys.get('SRS_HTTPS_DOMAIN'));
    const convert = converters[name];
    if (convert !== undefined && typeof value === 'object') return convert(value, { now, keys });
    return left(name, reasons.find(([pattern]) => pattern.test(name))?.[1] ?? 'not used by Weir');
  });
}

function certificate(provider: string, domain: KeyValue | undefined): ImportPart {
  const what = 'HTTPS';
  return fitting(what, CertProvider, provider, (checked) =>
    taken(
      what,
      [row('certs', 'https', { provider: checked, domain: typeof domain === 'string' ? domain : '' })],
      'copy nginx.crt and nginx.key from config/ of the old data directory into config/ of the new one',
    ),
  );
}
