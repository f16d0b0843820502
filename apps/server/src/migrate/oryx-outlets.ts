import { CameraOutlet, ForwardOutlet, isPlatformOf, Outlet, type OutletFeature, SourceProbe } from '@weir/contract';
import * as z from 'zod';
import { jsonOf } from '../core/json.ts';
import { fitting, left, type OryxPart, row, taken } from './oryx-part.ts';

const names: Record<OutletFeature, string> = { forward: 'Forward', vlive: 'Virtual live', camera: 'Camera' };

/** Files are known by their ids; of those only streams are on no disk. */
const OryxFile = z.looseObject({ uuid: z.uuid(), target: z.string(), type: z.string(), name: z.string().default('') });
const OryxSlot = Outlet.extend({ files: z.array(OryxFile).nullish() });

/** The slots of one feature: platform -> JSON. */
export function oryxOutlets(feature: OutletFeature, slots: Readonly<Record<string, string>>, now: Date): OryxPart[] {
  return Object.entries(slots).map(([platform, text]) => {
    const what = `${names[feature]} ${platform}`;
    if (!isPlatformOf(feature, platform)) return left(what, 'not the name of a destination');
    const found = jsonOf(text);
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

function sourceSlot({ feature, what, platform, value, now }: SlotFacts): OryxPart {
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
