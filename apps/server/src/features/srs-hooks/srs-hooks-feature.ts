import { randomUUID } from 'node:crypto';
import {
  type ClientHook,
  type EngineHook,
  engineHooks,
  type FinishedSegment,
  type InputChoice,
  type ProgramReport,
  type PublisherEnd,
  parseSegmentSource,
  privateHeaders,
  type SegmentSource,
  type ToldSegment,
} from '@weir/engine-api';
import { type EngineRefusal, MalformedMessage } from '@weir/streams';
import type { FastifyRequest } from 'fastify';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Events, PublishedStream } from '../../core/events.ts';
import type { HttpApp } from '../../core/http/http-app.ts';
import { maskParam } from '../../core/mask-param.ts';
import { sameText } from '../../core/same-text.ts';
import type { Feature } from '../../feature.ts';
import { segmentFile } from '../../segments/segment-file.ts';

interface Claim {
  readonly choice: InputChoice;
  readonly isProven: boolean;
  readonly isOurs: boolean;
}

interface Context {
  /** Proves that the engine of this very start is speaking. */
  readonly hookToken: string;
  readonly config: { readonly dataDir: string };
  readonly clock: Clock;
  readonly events: Events;
  readonly publishAuth: {
    /** Throws when the publisher must be refused. */
    assertMayPublish(publish: ClientHook): Promise<void>;
    refusedByEngine(publish: ClientHook, reason: EngineRefusal): Promise<void>;
  };
  /** Publishers with a stream key, from `assertMayPublish` until they left. */
  readonly streamKeys: {
    came(publish: ClientHook): Promise<void>;
    left(publish: ClientHook): void;
    nameOf(publish: ClientHook): string;
  };
  /** Additional check after the secret; throws likewise. */
  readonly callbacks: { assertMayPublish(publish: ClientHook & { readonly key: string }): Promise<void> };
  /** Decides who may watch. */
  readonly access: {
    /** Resolves once this run of the engine knows the rules: no stream is there before. */
    ready(serverId: string): Promise<void>;
    /** Throws unless the owner's receiver agrees. */
    assertMayPlay(play: ClientHook): Promise<void>;
    used(link: string): Promise<void>;
  };
  readonly segments: { isWanted(): Promise<boolean>; tell(segment: FinishedSegment): void };
  /**
   * Parts for a separate SRS, which does not keep segments until they are taken and asks before it knows whether a
   * stream is in use.
   */
  readonly srs?: {
    keep(told: ToldSegment, source: SegmentSource): Promise<FinishedSegment>;
    isInUse(publish: ClientHook): Promise<boolean>;
  };
  /** Publishers of programs, and what programs do. */
  readonly programs: {
    /** The input that a publisher belongs to; `isProven` when it showed the key of it. Throws when the program has none for it. */
    claim(publish: ClientHook): Promise<Claim | undefined>;
    came(hook: ClientHook & { readonly key: string }, input: string): void;
    left(hook: ClientHook & { readonly key: string }): void;
    switched(report: ProgramReport): Promise<void>;
  };
  readonly publishers: {
    published(stream: PublishedStream): void;
    ended(stream: PublishedStream, why?: PublisherEnd): void;
  };
}

const done = { code: 0, data: null } as const;

/** Receiver of the engine's events, in the format of SRS's HTTP hooks. Other callers are refused. */
export function srsHooksFeature(context: Context): Feature {
  return { routes: (http) => srsHooksRoutes(http, context) };
}

function srsHooksRoutes(http: HttpApp, context: Context): void {
  const { publishAuth, streamKeys, publishers, programs, access, segments, events, config, clock } = context;
  // Before the body is read: a stranger's is not worth the memory.
  const onRequest = async (request: FastifyRequest) => assertFromEngine(request, context.hookToken);

  const serve = <Hook>(
    { path, decode }: EngineHook<Hook>,
    handle: (hook: Hook, body: unknown) => Promise<object | undefined>,
  ) =>
    http.fastify.post(path, { onRequest }, async ({ body }) => {
      const data = await handle(readHook(decode, body), body);
      return data ? { ...done, data } : done;
    });

  serve(engineHooks.client, async (hook) => {
    if (hook.action === 'on_publish' && hook.isProgram) {
      publishers.published(publishedStreamOf(hook, isoNow(clock), streamKeys.nameOf(hook)));
    } else if (hook.action === 'on_publish') {
      await assertFree(context, hook);
      await access.ready(hook.server_id);
      const claim = await programs.claim(hook);
      const input = claim?.choice.input ?? '';
      await admit(context, hook, claim);
      const key = streamKeys.nameOf(hook);
      if (claim) {
        programs.came({ ...hook, key }, input);
        return claim.choice;
      }
      publishers.published(publishedStreamOf(hook, isoNow(clock), key));
    } else if (hook.action === 'on_publish_asked') {
      await assertFree(context, hook);
      try {
        await publishAuth.assertMayPublish(hook);
      } finally {
        streamKeys.left(hook);
      }
    } else if (hook.action === 'on_play_asked') {
      await access.assertMayPlay(hook);
    } else if (hook.action === 'on_unpublish') {
      const key = streamKeys.nameOf(hook);
      streamKeys.left(hook);
      if (hook.input !== '') programs.left({ ...hook, key });
      else publishers.ended(publishedStreamOf(hook, isoNow(clock), key), hook.why);
    } else if (hook.action === 'on_play') {
      const { vhost, app, stream, protocol } = hook;
      if (hook.link !== '') await access.used(hook.link);
      if (!hook.isPreview) events.emit('stream:played', { vhost, app, stream, protocol });
    } else if (hook.reason !== undefined) {
      await publishAuth.refusedByEngine(hook, hook.reason);
    }
    return undefined;
  });

  serve(engineHooks.program, async (report) => {
    await programs.switched(report);
    return undefined;
  });

  serve(engineHooks.segment, async (segment, body) => {
    if (context.srs) {
      if (await segments.isWanted()) {
        segments.tell(await context.srs.keep(segment, readHook(parseSegmentSource, body)));
      }
      return undefined;
    }
    const file = await segmentFile(config.dataDir, segment.file);
    const init = segment.init && { ...segment.init, file: await segmentFile(config.dataDir, segment.init.file) };
    segments.tell({ ...segment, id: segment.id ?? randomUUID(), file, init });
    return undefined;
  });
}

/** Throws unless the publisher may publish. One that is refused after its key was accepted does not count as a user of it. */
async function admit({ publishAuth, streamKeys, callbacks }: Context, hook: ClientHook, claim: Claim | undefined) {
  try {
    if (!claim?.isProven) await publishAuth.assertMayPublish(hook);
    const key = streamKeys.nameOf(hook);
    if (!claim?.isOurs) await callbacks.assertMayPublish({ ...hook, input: claim?.choice.input ?? '', key });
    await streamKeys.came(hook);
  } catch (error) {
    streamKeys.left(hook);
    throw error;
  }
}

/** SRS would refuse the second publisher after the hook, and no hook would report its end. */
async function assertFree({ srs, publishAuth }: Context, hook: ClientHook): Promise<void> {
  if (!srs || !(await srs.isInUse(hook))) return;
  await publishAuth.refusedByEngine(hook, 'in-use');
  throw new WeirError('publish_refused', 'this stream is already being published');
}

function readHook<Hook>(decode: (body: unknown) => Hook, body: unknown): Hook {
  try {
    return decode(body ?? {});
  } catch (error) {
    if (error instanceof MalformedMessage) throw new WeirError('invalid_input', error.message, { cause: error });
    throw error;
  }
}

function assertFromEngine(request: FastifyRequest, hookToken: string): void {
  const shown = request.headers[privateHeaders.hookToken];
  if (hookToken !== '' && typeof shown === 'string' && sameText(shown, hookToken)) return;
  throw new WeirError('publish_refused', 'only the media engine may call this');
}

function publishedStreamOf(hook: ClientHook, publishedAt: string, key: string): PublishedStream {
  const { vhost, app, stream, param, server_id, client_id, protocol, ip: address } = hook;
  const client = { serverId: server_id, clientId: client_id, protocol, address, ...(key !== '' && { key }) };
  return { vhost, app, stream, param: maskParam(param), ...client, publishedAt };
}
