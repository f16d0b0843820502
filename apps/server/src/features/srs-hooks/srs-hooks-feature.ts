import type { PublishRefusal } from '@weir/contract';
import type { FastifyRequest } from 'fastify';
import { WeirError } from '../../core/errors.ts';
import type { Events, PublishedStream } from '../../core/events.ts';
import { validateBody } from '../../core/http/body.ts';
import type { HttpApp } from '../../core/http/http-app.ts';
import { maskParam } from '../../core/mask-param.ts';
import { sameText } from '../../core/same-text.ts';
import { ClientHook, RefusalHook, SegmentHook } from './hook-bodies.ts';
import { segmentFile } from './segment-file.ts';

interface Context {
  /** Proves that the engine of this very start is speaking. */
  readonly hookToken: string;
  readonly dataDir: string;
  readonly events: Events;
  readonly publishAuth: {
    /** Throws when the publisher must be refused. */
    assertMayPublish(publish: ClientHook): Promise<void>;
    refusedByEngine(publish: ClientHook, reason: PublishRefusal): Promise<void>;
  };
  /** Somebody else who is asked once the secret is right; throws likewise. */
  readonly callbacks: { assertMayPublish(publish: ClientHook): Promise<void> };
  readonly publishers: { published(stream: PublishedStream): void; ended(stream: PublishedStream): void };
}

const done = { code: 0, data: null } as const;

/** What the engine tells us, in the words of SRS's HTTP hooks. Nobody else is listened to. */
export function srsHooksRoutes(http: HttpApp, context: Context): void {
  const { publishAuth, callbacks, publishers, events, dataDir } = context;
  // Before the body is read: a stranger's is not worth the memory.
  const onRequest = async (request: FastifyRequest) => assertFromEngine(request, context.hookToken);

  http.fastify.post('/terraform/v1/hooks/srs/verify', { onRequest }, async (request) => {
    const hook = validateBody(ClientHook, request.body ?? {});
    if (hook.action === 'on_publish') {
      await publishAuth.assertMayPublish(hook);
      await callbacks.assertMayPublish(hook);
      publishers.published(publishedStreamOf(hook));
    } else if (hook.action === 'on_unpublish') {
      publishers.ended(publishedStreamOf(hook));
    } else if (hook.action === 'on_play') {
      const { vhost, app, stream, protocol } = hook;
      if (!hook.preview) events.emit('stream:played', { vhost, app, stream, protocol });
    } else if (hook.action === 'on_publish_refused') {
      await publishAuth.refusedByEngine(hook, validateBody(RefusalHook, request.body).reason);
    }
    return done;
  });

  http.fastify.post('/terraform/v1/hooks/srs/hls', { onRequest }, async (request) => {
    const hook = validateBody(SegmentHook, request.body ?? {});
    const file = await segmentFile(dataDir, hook.file);
    events.emit('segment:finished', {
      vhost: hook.vhost,
      app: hook.app,
      stream: hook.stream,
      clientId: hook.client_id,
      file,
      url: hook.url,
      m3u8Url: hook.m3u8_url,
      durationSeconds: hook.duration,
      sequence: hook.seq_no,
      isDiscontinuity: hook.discontinuity,
    });
    return done;
  });
}

function assertFromEngine(request: FastifyRequest, hookToken: string): void {
  const shown = request.headers['x-weir-hook'];
  if (hookToken !== '' && typeof shown === 'string' && sameText(shown, hookToken)) return;
  throw new WeirError('publish_refused', 'only the media engine may call this');
}

function publishedStreamOf({ vhost, app, stream, param, server_id, client_id }: ClientHook): PublishedStream {
  const publishedAt = new Date().toISOString();
  return { vhost, app, stream, param: maskParam(param), serverId: server_id, clientId: client_id, publishedAt };
}
