import type { EventTopic } from '@weir/contract';
import type { Events } from '../../core/events.ts';

/** Topics of the store's collections; those of a dubbing project end with its id. */
const topics: readonly (readonly [name: RegExp, topic: EventTopic])[] = [
  [/^ocr(-|$)/, 'ocr'],
  [/^dubbing-/, 'dubbing'],
  [/^(rooms|talk-usage)$/, 'rooms'],
  [/^(hooks|hook-deliveries)$/, 'callbacks'],
  [/^(certs|certs-order)$/, 'certificates'],
];

/** Features whose state is what they keep: what is written is what changes. Counted, so that a busy one is told of as often as others. */
export class ChangeBuffer {
  readonly #counts = new Map<EventTopic, number>(topics.map(([, topic]) => [topic, 0]));

  constructor(events: Events) {
    events.on('store:written', ({ collection }) => {
      const topic = topics.find(([name]) => name.test(collection))?.[1];
      if (topic) this.#counts.set(topic, (this.#counts.get(topic) ?? 0) + 1);
    });
  }

  look(): Partial<Record<EventTopic, string>> {
    return Object.fromEntries([...this.#counts].map(([topic, count]) => [topic, String(count)]));
  }
}
