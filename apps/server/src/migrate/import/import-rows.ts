import { createHash } from 'node:crypto';
import { CameraOutlet, ForwardOutlet, outletLimits, RecordGlobs, SourceProbe, serverProblem } from '@weir/contract';
import { fitting, type ImportPart, left, row, taken } from './import-part.ts';

/** Numbered slot with a name that is the same at every import. */
function slotName(prefix: 'forwarding' | 'camera', number: number, about: string): string {
  return `${prefix}-${number}-${createHash('sha256').update(about).digest('hex').slice(0, 8)}`;
}

/** Splits `rtmp://host/app/key` into server and key. */
function splitPushUrl(url: string): { server: string; secret: string } {
  const [, server = url, secret = ''] = /^(rtmps?:\/\/[^/]+\/[^/?]+)\/(.+)$/i.exec(url) ?? [];
  return { server, secret };
}

interface Push {
  readonly url: string;
  /** `app/name`; empty if it is not known. */
  readonly stream: string;
}

/** Destinations and sources are imported switched off: nothing is sent anywhere before somebody looked at it. */
export function forwardPart({ url, stream }: Push, number: number): ImportPart {
  const item = ['forward', String(number)] as const;
  const { server, secret } = splitPushUrl(url);
  if (serverProblem(server) || url.length > outletLimits.serverCharacters) return left(item, 'badDestination');
  const platform = slotName('forwarding', number, url + stream);
  const label = new URL(server).hostname.slice(0, outletLimits.labelCharacters);
  const value = { platform, server, secret, stream, label, custom: true, enabled: false };
  const note = secret === '' ? 'offWithoutKey' : 'off';
  return fitting(item, ForwardOutlet, value, (slot) => taken(item, [row('forward', platform, slot)], note));
}

const pullSchemes = /^(?:rtsps?|rtmps?|srt|https?):\/\/[^\s/]+/i;

/** A stream that was pulled from elsewhere becomes a camera without destination. */
export function pullPart({ url, name }: { url: string; name: string }, number: number, now: Date): ImportPart {
  const item = ['source', name] as const;
  if (!pullSchemes.test(url) || url.length > 2048) return left(item, 'badSource');
  const uuid = uuidOf(url + name);
  const platform = slotName('camera', number, url + name);
  const source = {
    uuid,
    type: 'stream',
    state: 'accepted',
    name: name.slice(0, 200),
    path: url,
    created: now.toISOString(),
    probe: SourceProbe.safeParse({}).data ?? null,
  };
  const { extraAudio } = CameraOutlet.parse({ platform, files: [] });
  const slot = { platform, server: '', secret: '', enabled: false, custom: true, label: name.slice(0, 200) };
  const rows = [row('camera', platform, { ...slot, extraAudio, files: [uuid] }), row('source', uuid, source)];
  return taken(item, rows, 'cameraOff');
}

/** Version 4 in form only: the same address keeps its id. */
function uuidOf(about: string): string {
  const hex = createHash('sha256').update(about).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Patterns of streams to record; `all` for every stream. */
export function recordPart(globs: readonly string[] | 'all'): ImportPart {
  const parsed = RecordGlobs.safeParse(globs === 'all' ? [] : [...new Set(globs)]);
  if (!parsed.success) return left('record', 'badStreams');
  const value = { all: true, globs: parsed.data, processCpDir: '' };
  return taken('record', [row('record', 'settings', value)], 'recordFolder');
}

/** Ports are set where the server is started. */
export function portNotes(ports: readonly (readonly [variable: string, value: string | undefined, usual: string])[]) {
  return ports.flatMap(([variable, value, usual]) => {
    const [, port] = /(?:^|:)(\d{1,5})$/.exec(value ?? '') ?? [];
    return port === undefined || port === usual ? [] : [left(['port', port], 'setVariable', `${variable}=${port}`)];
  });
}
