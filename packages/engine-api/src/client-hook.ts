import {
  defaultVhost,
  type EngineRefusal,
  engineRefusals,
  MessageFields,
  maxNameLength,
  type StreamPlace,
  type WirePlace,
} from '@weir/streams';

/**
 * Three are ours, not SRS's. `on_publish_refused`: the engine turned a publisher away without asking. `on_publish_asked`: may somebody
 * publish, before another media server is troubled with it, which then asks by itself. `on_play_asked`: may somebody watch
 * a stream that the owner's receiver decides about.
 */
export type HookAction =
  | 'on_publish'
  | 'on_publish_asked'
  | 'on_unpublish'
  | 'on_publish_refused'
  | 'on_play'
  | 'on_play_asked'
  | 'on_stop'
  | 'on_hls';

/** Why a publisher is gone. `closed`: it ended, or its connection did. `silent`: nothing arrived for too long. `failed`: a fault here. */
const publisherEnds = ['closed', 'silent', 'malformed', 'kicked', 'stopped', 'failed'] as const;
export type PublisherEnd = (typeof publisherEnds)[number];

export const hookProtocols = ['rtmp', 'srt', 'rtc', 'flv', 'hls'] as const;
export type HookProtocol = (typeof hookProtocols)[number];

/** Client of a hook, as the engine knows it. */
export interface HookClient {
  readonly serverId: string;
  readonly serviceId: string;
  readonly id: string;
  readonly address: string;
  readonly place: StreamPlace;
  /** Query of the address with its question mark, or empty. */
  readonly param: string;
  readonly tcUrl: string;
  readonly protocol: HookProtocol;
}

/** Fields of some hooks only. */
interface HookMore {
  readonly reason?: EngineRefusal;
  /** Only in on_unpublish. */
  readonly why?: PublisherEnd;
  readonly pageUrl?: string;
  /** Preview in the console, which is no viewer. */
  readonly isPreview?: boolean;
  /** Id of the input that it publishes to, of a program. */
  readonly input?: string;
  /** A program publishes its own stream, and needs no permission. */
  readonly isProgram?: boolean;
  /** Link that a viewer came by. */
  readonly link?: string;
}

/** Body of on_publish, on_unpublish, on_play, on_stop and on_publish_refused. */
export function clientHookBody(
  action: HookAction,
  client: HookClient,
  { isPreview, isProgram, ...more }: HookMore = {},
) {
  const { serverId, serviceId, id, address, place, param, tcUrl, protocol } = client;
  return {
    server_id: serverId,
    service_id: serviceId,
    action,
    client_id: id,
    ip: address,
    vhost: place.vhost,
    app: place.app,
    stream: place.name,
    param,
    tcUrl,
    stream_url: `/${place.app}/${place.name}`,
    stream_id: id,
    protocol,
    ...more,
    ...(isPreview && { preview: true }),
    ...(isProgram && { program: true }),
  };
}

/** The same as it is read. Another media server may leave out what is ours. */
export interface ClientHook extends WirePlace {
  /** A `HookAction`, or an unknown action. */
  readonly action: string;
  readonly client_id: string;
  readonly server_id: string;
  readonly ip: string;
  readonly param: string;
  readonly protocol: HookProtocol | '';
  /** Set in on_publish_refused, and only there. */
  readonly reason: EngineRefusal | undefined;
  /** Present in on_unpublish if the engine knows it. */
  readonly why: PublisherEnd | undefined;
  readonly isPreview: boolean;
  /** Empty unless it publishes to an input of a program. */
  readonly input: string;
  readonly isProgram: boolean;
  /** Link that a viewer came by; empty without one. */
  readonly link: string;
}

/** Throws MalformedMessage. */
export function parseClientHook(body: unknown): ClientHook {
  const fields = new MessageFields(body);
  const action = fields.text('action');
  const reason = action === 'on_publish_refused' ? fields.oneOf('reason', engineRefusals) : undefined;
  return {
    action,
    ...readPlace(fields),
    client_id: fields.text('client_id', { least: 1 }),
    server_id: fields.text('server_id', { fallback: '' }),
    ip: fields.text('ip', { most: 64, fallback: '' }),
    param: fields.text('param', { fallback: '' }),
    protocol: fields.knownOneOf('protocol', hookProtocols) ?? '',
    reason,
    why: fields.knownOneOf('why', publisherEnds),
    isPreview: fields.optionalFlag('preview') ?? false,
    input: fields.text('input', { most: 64, fallback: '' }),
    isProgram: fields.optionalFlag('program') ?? false,
    link: fields.text('link', { most: 256, fallback: '' }),
  };
}

export function readPlace(fields: MessageFields): WirePlace {
  const name = { least: 1, most: maxNameLength };
  return {
    vhost: fields.text('vhost', { most: maxNameLength, fallback: defaultVhost }),
    app: fields.text('app', name),
    stream: fields.text('stream', name),
  };
}
