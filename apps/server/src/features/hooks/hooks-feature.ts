import { hooksApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import type { Events, PublishedStream } from '../../core/events.ts';
import { anyMethod, type HttpApp } from '../../core/http/http-app.ts';
import { maskParam } from '../../core/mask-param.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { Timeline } from '../../timeline-store/timeline.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { DeliveryRepository } from './delivery-repository.ts';
import { hookMessage } from './hook-message.ts';
import { HookSender } from './hook-sender.ts';
import { HooksRepository } from './hooks-repository.ts';
import { HooksService } from './hooks-service.ts';
import { noteTried, type TriedDelivery } from './note-tried.ts';

interface Context {
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
  readonly events: Events;
  readonly outgoing: OutgoingClient;
  readonly timeline: Pick<Timeline, 'note' | 'noteEarly'>;
}

type Publish = Pick<PublishedStream, 'vhost' | 'app' | 'stream' | 'param'> & {
  readonly ip: string;
  readonly protocol: string;
  /** Id of its input, of a program; empty of an ordinary publisher. */
  readonly input: string;
  /** Name of its stream key; empty without one. */
  readonly key: string;
};

interface ReadPicture extends Pick<PublishedStream, 'vhost' | 'app' | 'stream'> {
  /** A repeated event with the same id is sent once. */
  readonly id: string;
  /** Id of the task. */
  readonly uuid: string;
  readonly prompt: string;
  readonly result: string;
  /** Names the segment, and its picture. */
  readonly tsid: string;
  readonly sequence: number;
  /** When the segment began. */
  readonly at: string;
  readonly imagePath: string;
}

/** An unfinished recording, in the number receivers know. */
const stillProcessing = 100;

interface HooksFeature extends Feature {
  /** Throws if the receiver refuses. Resolves without a configured receiver. */
  assertMayPublish(publish: Publish): Promise<void>;
  /** Throws if the receiver refuses the viewer. */
  assertMayPlay(play: Pick<Publish, 'vhost' | 'app' | 'stream' | 'param' | 'ip'>): Promise<void>;
  /** True if a receiver is set up to be asked. */
  decides(): Promise<boolean>;
  /** Reports recognised text. Resolves once the event is stored; `tried` after the first attempt. Undefined without a receiver. */
  tellPicture(picture: ReadPicture): Promise<{ tried: Promise<void> } | undefined>;
}

/** Tells a receiver of the owner's what happens here, and asks it who may publish. */
export function hooksFeature({ store, events, outgoing, clock, timeline, log: parent }: Context): HooksFeature {
  const log = parent.child({ feature: 'hooks' });
  const hooks = new HooksRepository(store, clock);
  const deliveries = new DeliveryRepository(store);
  const sender = new HookSender({ hooks, outgoing, log, clock });
  const onTried = (tried: TriedDelivery) => noteTried(timeline, tried);
  const queue = new DeliveryQueue({ hooks, deliveries, sender, onTried, log, clock });
  const service = new HooksService({ hooks, deliveries, queue, sender, onTried, clock });

  events.on('stream:ended', (place) =>
    service.tell(() => hookMessage('on_unpublish', place, { key: place.key ?? '' })),
  );
  events.on('input:ended', ({ input, key, ...place }) =>
    service.tell(() => hookMessage('on_unpublish', place, { input, key })),
  );
  events.on('program:switched', ({ from, to, reason, gapMs, ...place }) =>
    service.tell(() => hookMessage('on_program_switch', place, { from, to, reason, gap_ms: gapMs })),
  );
  events.on('record:began', ({ uuid, quality, ...place }) =>
    service.tell(() => hookMessage('on_record_begin', place, { uuid, ...(quality && { quality }) })),
  );
  events.on('record:ended', ({ uuid, quality, isDone, path, ...place }) =>
    service.tell((host) =>
      hookMessage('on_record_end', place, {
        uuid,
        ...(quality && { quality }),
        artifact_code: isDone ? 0 : stillProcessing,
        artifact_path: path,
        artifact_url: `${host}/terraform/v1/hooks/record/hls/${uuid}/index.mp4`,
      }),
    ),
  );

  return {
    routes: hooksRoutes(service),
    tasks: { callbacks: (signal) => queue.run(signal) },
    alerts: () => service.alerts(),
    reported: async () => {
      const { all, target, verifyTls, ownNetwork } = await hooks.settings();
      return { all, hasTarget: target !== '', verifyTls, ownNetwork };
    },
    tellPicture: ({ id, vhost, app, stream, uuid, prompt, result, tsid, sequence: seqno, at: time, imagePath }) =>
      service.tellWatched((host) => {
        const image_url = `${host}${imagePath}`;
        const fields = { uuid, prompt, result, tsid, seqno, time, image_url };
        return hookMessage('on_ocr', { vhost, app, stream }, fields, id);
      }),
    assertMayPlay: ({ vhost, app, stream, param, ip }) =>
      service.askPlay(hookMessage('on_play', { vhost, app, stream }, { param, ip })),
    async decides() {
      const { all, target } = await hooks.settings();
      return all && target !== '';
    },
    async assertMayPublish({ vhost, app, stream, param, ip, protocol, input, key }) {
      // The publish secret is this server's; other parameters may be what the receiver decides by.
      const shown = maskParam(param, /^secret$/i);
      try {
        await service.ask(hookMessage('on_publish', { vhost, app, stream }, { param: shown, input, key }));
      } catch (error) {
        events.emit('publish:refused', { vhost, app, stream, protocol, address: ip, reason: 'callback' });
        throw error;
      }
    },
  };
}

function hooksRoutes(service: HooksService): Feature['routes'] {
  return (http) => {
    http.route(hooksApi.query, () => service.query());
    http.route(hooksApi.apply, (change, { origin }) => service.apply(change, origin));
    http.route(hooksApi.rotate, async () => ({ secret: await service.rotateSecret() }));
    http.route(hooksApi.deliveries, async () => ({ deliveries: await service.list() }));
    http.route(hooksApi.retry, ({ request_id }) => service.retry(request_id));
    http.route(hooksApi.test, () => service.test());
    exampleRoute(http);
  };
}

/** A receiver to try callbacks with; outside the envelope's rules because its failure is asked for by the query. */
function exampleRoute(http: HttpApp): void {
  http.fastify.route<{ Querystring: { fail?: string } }>({
    method: anyMethod,
    url: hooksApi.example.path,
    handler: async (request, reply) => {
      const isFailing = request.query.fail === 'true' || request.query.fail === '1';
      reply.header('content-type', 'application/json');
      if (!isFailing) return reply.send(JSON.stringify({ code: 0, data: null }));
      const message = 'the example receiver was asked to fail';
      return reply.code(500).send(JSON.stringify({ code: 1, data: { message } }));
    },
  });
}
