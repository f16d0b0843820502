import { randomUUID } from 'node:crypto';
import {
  fieldsOfService,
  keyMask,
  maskKey,
  NotificationChannel,
  type NotificationChannelChange,
  notificationLimits,
} from '@weir/contract';
import * as z from 'zod';
import { WeirError } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import type { Setting, Single } from '../../core/store/setting.ts';
import type { Collection, Store } from '../../core/store/store.ts';
import { NotedProblem } from './notice-plan.ts';
import { makePushKeys, type PushKeys } from './push-sender.ts';

const ChannelState = z.object({
  noted: z.array(NotedProblem).default([]),
  /** Time of the last summary. */
  summaryAtMs: z.number().default(0),
});
export type ChannelState = z.output<typeof ChannelState>;

const StoredPushKeys = z.object({ publicKey: z.string(), privateKey: z.string() });

const Settings = z.object({
  /** Address of the console in messages: that of the last change. */
  address: z.string().default(''),
});

/** Stored channels, and what each was told. */
export class ChannelRepository {
  readonly #channels: Collection<NotificationChannel>;
  readonly #states: Collection<ChannelState>;
  readonly #settings: Setting<z.output<typeof Settings>>;
  readonly #pushKeys: Single<PushKeys>;
  readonly #writes = new Mutex();

  constructor(store: Store) {
    this.#channels = store.collection('notifications', NotificationChannel);
    this.#states = store.collection('notifications-state', ChannelState);
    this.#settings = store.setting('notifications-settings/settings', Settings);
    this.#pushKeys = store.single('notifications-push/keys', StoredPushKeys);
  }

  async list(): Promise<NotificationChannel[]> {
    return (await this.#channels.list()).map(({ value }) => value).sort((a, b) => a.name.localeCompare(b.name));
  }

  /** Made by the first call; devices that subscribed know no others. */
  pushKeys(): Promise<PushKeys> {
    return this.#pushKeys.first(makePushKeys);
  }

  async address(): Promise<string> {
    return (await this.#settings.read()).address;
  }

  async keepAddress(address: string): Promise<void> {
    if (address !== (await this.address())) await this.#settings.put({ address });
  }

  /** The channel that a change makes: checked, complete, and with the secrets that it leaves as they are. */
  async complete({ id, ...change }: NotificationChannelChange): Promise<NotificationChannel> {
    const before = id === undefined ? undefined : await this.#channels.get(id);
    if (id !== undefined && !before) throw new WeirError('not_found', 'there is no such notification channel');
    const kept = before?.service === change.service ? before.fields : {};
    const fields: Record<string, string> = {};
    for (const { name, isSecret, isOptional, choices, initial = '' } of fieldsOfService(change.service)) {
      const given = change.fields[name] ?? '';
      const isKept = isSecret && given.startsWith(keyMask);
      if (isKept && sendsElsewhere(change, kept)) {
        throw new WeirError('invalid_input', `${name}: enter it again for another server`);
      }
      const value = isKept ? (kept[name] ?? '') : given || (isOptional ? initial : '');
      if (value === '' && !isOptional) throw new WeirError('missing_field', `${name} is required`);
      if (choices && !choices.includes(value))
        throw new WeirError('invalid_input', `${name}: must be one of ${choices.join(', ')}`);
      checkField(name, value);
      fields[name] = value;
    }
    return { ...change, id: id ?? randomUUID(), fields };
  }

  /** One at a time, so that the limit holds. */
  save(change: NotificationChannelChange): Promise<NotificationChannel> {
    return this.#writes.take(async () => {
      const channel = await this.complete(change);
      const isNew = change.id === undefined;
      if (isNew && (await this.#channels.list()).length >= notificationLimits.channels) {
        throw new WeirError(
          'invalid_input',
          `there may be ${notificationLimits.channels} notification channels at most`,
        );
      }
      await this.#channels.put(channel.id, channel);
      return channel;
    });
  }

  async remove(id: string): Promise<void> {
    if (!(await this.#channels.delete(id))) throw new WeirError('not_found', 'there is no such notification channel');
    await this.#states.delete(id);
  }

  async state(id: string): Promise<ChannelState> {
    return (await this.#states.get(id)) ?? ChannelState.parse({});
  }

  async keepState(id: string, state: ChannelState): Promise<void> {
    await this.#states.put(id, state);
  }
}

/** A secret is bound to the server it was entered for. */
const addressFields = ['server', 'host', 'url'];

function sendsElsewhere(
  { fields, service }: NotificationChannelChange,
  kept: Readonly<Record<string, string>>,
): boolean {
  return fieldsOfService(service).some(({ name, isSecret }) => {
    const given = fields[name] ?? '';
    return addressFields.includes(name) && !isSecret && hostOf(given) !== hostOf(kept[name] ?? '');
  });
}

function hostOf(address: string): string {
  return URL.canParse(address) && address.includes('://') ? new URL(address).host : address.toLowerCase();
}

const headerBreak = /[\r\n\0]/;

function checkField(name: string, value: string): void {
  if (value === '') return;
  const isWeb = name === 'url' || name === 'server' || name === 'endpoint';
  if (isWeb && !(/^https?:\/\//i.test(value) && URL.canParse(value))) {
    throw new WeirError('invalid_input', `${name}: must be a full http or https URL`);
  }
  if (name === 'port' && !(/^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535)) {
    throw new WeirError('invalid_input', 'port: must be a number from 1 to 65535');
  }
  if (name === 'host' && !/^[\w.:-]{1,253}$/.test(value)) {
    throw new WeirError('invalid_input', 'host: must be a host name or an address');
  }
  if (headerBreak.test(value) || (name === 'token' && /[^\x21-\x7e]/.test(value))) {
    throw new WeirError('invalid_input', `${name}: contains characters that are not allowed`);
  }
}

/** With masked secrets. */
export function toShownChannel(channel: NotificationChannel): NotificationChannel {
  const masked = fieldsOfService(channel.service).flatMap(({ name, isSecret }) =>
    isSecret ? [[name, maskKey(channel.fields[name] ?? '')] as const] : [],
  );
  return { ...channel, fields: { ...channel.fields, ...Object.fromEntries(masked) } };
}
