import {
  BitrateLimits,
  CameraOutlet,
  CertProvider,
  ForwardOutlet,
  type ImportNote,
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
import { fitting, type ImportName, type ImportPart, left, row, taken } from './import/import-part.ts';

/** Files are known by their ids; of those only streams are on no disk. */
const OryxFile = z.looseObject({ uuid: z.uuid(), target: z.string(), type: z.string(), name: z.string().default('') });
const OryxSlot = Outlet.extend({ files: z.array(OryxFile).nullish() });

/** The slots of one feature: platform -> JSON. */
function oryxOutlets(feature: OutletFeature, slots: Readonly<Record<string, string>>, now: Date): ImportPart[] {
  return Object.entries(slots).map(([platform, text]) => {
    const item = [feature, platform] as const;
    if (!isFeaturePlatform(feature, platform)) return left(item, 'badPlatform');
    const found = parseJson(text);
    if (typeof found !== 'object') return left(item, 'damaged');
    const value = { ...found, platform };
    return feature === 'forward'
      ? fitting(item, ForwardOutlet, value, (slot) => taken(item, [row(feature, platform, slot)]))
      : sourceSlot({ feature, platform, value, now });
  });
}

interface SlotFacts {
  readonly feature: 'vlive' | 'camera';
  readonly platform: string;
  readonly value: object;
  readonly now: Date;
}

function sourceSlot({ feature, platform, value, now }: SlotFacts): ImportPart {
  const item = [feature, platform] as const;
  return fitting(item, OryxSlot, value, ({ files, ...slot }) => {
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
    return taken(item, [row(feature, platform, kept), ...sources], isWhole ? '' : 'filesElsewhere');
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

/** Converts a JSON configuration into one row of our store. */
function whole(item: ImportName, collection: string, schema: z.ZodType): Converter {
  return ({ global = '' }) =>
    fitting(item, schema, parseJson(global), (value) => taken(item, [row(collection, 'global', value)]));
}

const converters: Readonly<Record<string, Converter>> = {
  SRS_PLATFORM_SECRET: ({ token }, { now }) =>
    fitting('apiSecret', ApiSecret, token, (secret) =>
      taken('apiSecret', [row('api-secret', 'admin', { secret, updatedAt: now.getTime() })]),
    ),
  SRS_AUTH_SECRET: ({ pubSecret, pubNoAuth }, { now }) => [
    fitting('publishSecret', PublishSecret, pubSecret, (secret) =>
      taken('publishSecret', [row('publish-secret', 'publish', { secret, updatedAt: now.getTime() })]),
    ),
    taken('publishMode', [row('publish-mode', 'publish', { noAuth: isOn(pubNoAuth) })]),
  ],
  SRS_HOOKS: ({ target = '', opaque = '', all, host = '' }) =>
    taken('hooks', [row('hooks', 'hooks', { target, opaque, all: isOn(all), host })], 'hooksOwnNetwork'),
  SRS_HP_HLS: ({ noHlsCtx }, { keys }) => {
    const low = keys.get('SRS_LL_HLS');
    const hlsLowLatency = typeof low === 'object' && isOn(low.hlsLowLatency);
    return taken('hls', [row('hls', 'hls', { noHlsCtx: isOn(noHlsCtx), hlsLowLatency })]);
  },
  SRS_LL_HLS: ({ hlsLowLatency }, { keys }) =>
    keys.has('SRS_HP_HLS') ? [] : taken('hls', [row('hls', 'hls', { hlsLowLatency: isOn(hlsLowLatency) })]),
  SRS_BEIAN: ({ title = '', icp = '' }) => taken('site', [row('branding', 'site', { title, icp })]),
  SRS_SYS_LIMITS: (limits) => {
    const numbers = Object.fromEntries(Object.entries(limits).map(([name, text]) => [name, Number(text)]));
    return fitting('limits', BitrateLimits, numbers, (value) => taken('limits', [row('limits', 'sources', value)]));
  },
  SRS_SYS_OPENAI: ({ key = '', url = '', org = '' }) =>
    taken('llm', [row('llm', 'provider', { aiSecretKey: key, aiBaseURL: url, aiOrganization: org })]),
  SRS_RECORD_PATTERNS: ({ all, globs = '[]', 'post-cp-file': processCpDir = '' }) =>
    taken('record', [
      row('record', 'settings', { all: isOn(all), globs: Globs.parse(parseJson(globs)), processCpDir }),
    ]),
  SRS_FORWARD_CONFIG: (slots, { now }) => oryxOutlets('forward', slots, now),
  SRS_VLIVE_CONFIG: (slots, { now }) => oryxOutlets('vlive', slots, now),
  SRS_CAMERA_CONFIG: (slots, { now }) => oryxOutlets('camera', slots, now),
  SRS_TRANSCODE_CONFIG: whole('transcode', 'transcode', TranscodeConfig),
  SRS_TRANSCRIPT_CONFIG: whole('transcript', 'transcript', TranscriptConfig),
  SRS_OCR_CONFIG: whole('ocr', 'ocr', OcrConfig),
  SRS_LIVE_ROOM: (rooms) =>
    Object.entries(rooms).map(([uuid, text]) => {
      const item = ['room', uuid] as const;
      return fitting(item, Room, parseJson(text), (room) => taken(item, [row('rooms', room.uuid, room)]));
    }),
};

/** Why the rest stays where it is, by how its name begins. */
const reasons: readonly (readonly [RegExp, Exclude<ImportNote, ''>])[] = [
  [/_TASK$|_WORKING$|^SRS_STREAM_|^SRS_STAT_|^SRS_UPGRADING$|^SRS_FIRST_BOOT$|^SRS_LOCALE$/, 'running'],
  [/_ARTIFACT$|_METADATA$/, 'recordingsStay'],
  [/^SRS_DUBBING_/, 'projectsStay'],
  [/^SRS_(TENCENT|DVR|VOD)_/, 'cloudAgain'],
  [/^SRS_SECRET_PUBLISH$/, 'secondCopy'],
  [/^SRS_CACHE_/, 'cache'],
  [/^SRS_(HTTP_REWRITE|HTTP_PROXY|DNS_LB_|UPGRADE_|LIMIT$)/, 'olderRelease'],
  [/^SRS_HTTPS_DOMAIN$/, 'withCertificate'],
];

/** Converts everything Oryx keeps in Redis into our rows, or states why not. */
export function oryxSettings(keys: ReadonlyMap<string, KeyValue>, now: Date): ImportPart[] {
  return [...keys].flatMap(([name, value]) => {
    if (name === 'SRS_HTTPS' && typeof value === 'string') return certificate(value, keys.get('SRS_HTTPS_DOMAIN'));
    const convert = converters[name];
    if (convert !== undefined && typeof value === 'object') return convert(value, { now, keys });
    return left(['entry', name], reasons.find(([pattern]) => pattern.test(name))?.[1] ?? 'notUsed');
  });
}

function certificate(provider: string, domain: KeyValue | undefined): ImportPart {
  return fitting('https', CertProvider, provider, (checked) =>
    taken(
      'https',
      [row('certs', 'https', { provider: checked, domain: typeof domain === 'string' ? domain : '' })],
      'copyCertificate',
    ),
  );
}
