import { createHmac } from 'node:crypto';
import { type NotificationService, notificationServices } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../ai/ai.fixture.ts';
import { systemClock } from '../../core/clock.ts';
import { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import { sendNotice } from './notice-sender.ts';
import { testMessage } from './notice-text.ts';
import { ChatService } from './services.fixture.ts';

const pushKeys = () => Promise.reject(new Error('no device is asked here'));
const context = { outgoing: new OutgoingClient(), clock: systemClock, log: silentLog, pushKeys };
const setting = { server: 'weir.test', address: 'https://weir.test', zone: 'UTC' };

function send(service: NotificationService, fields: Record<string, string>, language: 'en' | 'zh' = 'en') {
  return sendNotice(context, { name: 'Team', service, fields }, testMessage({ ...setting, language }));
}

interface Wire {
  readonly fields: (url: string) => Record<string, string>;
  readonly path: string;
  readonly answer: string;
  /** What the service shows, of the body. */
  // biome-ignore lint/suspicious/noExplicitAny: any service's message.
  readonly shown: (body: any) => string;
  readonly refusal: string;
}

/** Requests and answers as the documentation of each service has them. */
const wires: Record<Exclude<NotificationService, 'email' | 'push'>, Wire> = {
  webhook: {
    fields: (url) => ({ url: `${url}/in` }),
    path: '/in',
    answer: '',
    shown: ({ title, text }) => `${title} ${text}`,
    refusal: '',
  },
  telegram: {
    fields: (server) => ({ server, token: '123:abc', chat: '-100' }),
    path: '/bot123:abc/sendMessage',
    answer: '{"ok":true,"result":{"message_id":1}}',
    shown: ({ chat_id, text }) => (chat_id === '-100' ? text : ''),
    refusal: '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}',
  },
  discord: {
    fields: (url) => ({ url: `${url}/api/webhooks/1/secret` }),
    path: '/api/webhooks/1/secret',
    answer: '',
    shown: ({ embeds, allowed_mentions }) =>
      allowed_mentions.parse.length === 0 ? `${embeds[0].title} ${embeds[0].description}` : '',
    refusal: '{"message":"Unknown Webhook","code":10015}',
  },
  slack: {
    fields: (url) => ({ url: `${url}/services/T/B/secret` }),
    path: '/services/T/B/secret',
    answer: 'ok',
    shown: ({ text }) => text,
    refusal: 'invalid_payload',
  },
  teams: {
    fields: (url) => ({ url: `${url}/workflows/secret` }),
    path: '/workflows/secret',
    answer: '1',
    shown: ({ attachments: [{ content }] }) => content.body.map(({ text }: { text: string }) => text).join(' '),
    refusal: 'Bad payload received by generic incoming webhook.',
  },
  ntfy: {
    fields: (server) => ({ server, topic: 'weir-alerts', token: 'tk_1' }),
    path: '/',
    answer: '{"id":"x","event":"message"}',
    shown: ({ topic, title, message }) => (topic === 'weir-alerts' ? `${title} ${message}` : ''),
    refusal: '{"code":40301,"http":403,"error":"forbidden"}',
  },
  gotify: {
    fields: (server) => ({ server: `${server}/`, token: 'AbC' }),
    path: '/message',
    answer: '{"id":25}',
    shown: ({ title, message }) => `${title} ${message}`,
    refusal: '{"error":"Unauthorized","errorCode":401}',
  },
  bark: {
    fields: (server) => ({ server, key: 'device-9f' }),
    path: '/push',
    answer: '{"code":200,"message":"success"}',
    shown: ({ device_key, title, body }) => (device_key === 'device-9f' ? `${title} ${body}` : ''),
    refusal: '{"code":400,"message":"failed to get device token"}',
  },
  wecom: {
    fields: (url) => ({ url: `${url}/cgi-bin/webhook/send?key=k` }),
    path: '/cgi-bin/webhook/send?key=k',
    answer: '{"errcode":0,"errmsg":"ok"}',
    shown: (body) => body[body.msgtype].content,
    refusal: '{"errcode":93000,"errmsg":"invalid webhook url"}',
  },
  dingtalk: {
    fields: (url) => ({ url: `${url}/robot/send?access_token=t` }),
    path: '/robot/send?access_token=t',
    answer: '{"errcode":0,"errmsg":"ok"}',
    shown: (body) => body[body.msgtype].content,
    refusal: '{"errcode":310000,"errmsg":"sign not match"}',
  },
  feishu: {
    fields: (url) => ({ url: `${url}/open-apis/bot/v2/hook/h` }),
    path: '/open-apis/bot/v2/hook/h',
    answer: '{"code":0,"msg":"success","data":{}}',
    shown: ({ content }) =>
      [content.post.zh_cn.title, ...content.post.zh_cn.content.flat().map(({ text }: { text: string }) => text)].join(
        ' ',
      ),
    refusal: '{"code":19021,"msg":"sign match fail"}',
  },
};

const refusedByStatus: readonly string[] = ['webhook', 'discord', 'slack', 'teams', 'ntfy', 'gotify'];

describe('a message', () => {
  it('arrives at every service in the form that it documents, and a refusal comes back in its words', async () => {
    for (const [name, wire] of Object.entries(wires)) {
      const service = name as NotificationService;
      const chat = await ChatService.start(() => ({ text: wire.answer }));
      const fields = wire.fields(chat.url);
      expect(await send(service, fields), service).toMatchObject({
        ok: true,
        status: 200,
        answer: wire.answer,
        error: '',
      });
      const [got] = chat.received;
      expect(got?.path, service).toBe(wire.path);
      expect(wire.shown(got?.body), service).toContain('Test message');
      await send(service, fields, 'zh');
      expect(wire.shown(chat.received[1]?.body), service).toContain('看到这条消息');
      const status = refusedByStatus.includes(service) ? 400 : 200;
      chat.answer = () => ({ status, text: wire.refusal });
      expect(await send(service, fields), service).toMatchObject({ ok: false, status, answer: wire.refusal });
    }
    expect(Object.keys(wires).sort()).toEqual(
      notificationServices.filter((one) => one !== 'email' && one !== 'push').sort(),
    );
  });

  it('is signed for services that check it', async () => {
    const chat = await ChatService.start(() => ({ text: '{"errcode":0,"code":0}' }));
    const signingKey = 'SEC-key';
    for (const service of ['webhook', 'dingtalk', 'feishu'] as const) {
      await send(service, { url: `${chat.url}/x?access_token=t`, signingKey });
    }
    const [webhook, dingtalk, feishu] = chat.received;
    const [, seconds, digest] = /^t=(\d+),v1=(\w+)$/.exec(String(webhook?.headers['x-weir-signature'])) ?? [];
    expect(createHmac('sha256', signingKey).update(`${seconds}.${webhook?.text}`).digest('hex')).toBe(digest);
    const { searchParams } = new URL(dingtalk?.path ?? '', 'http://x');
    const stamped = `${searchParams.get('timestamp')}\n${signingKey}`;
    expect(searchParams.get('sign')).toBe(createHmac('sha256', signingKey).update(stamped).digest('base64'));
    expect(searchParams.get('access_token')).toBe('t');
    const { timestamp, sign } = feishu?.body ?? {};
    expect(createHmac('sha256', `${timestamp}\n${signingKey}`).digest('base64')).toBe(sign);
  });

  it('S52: carries names of publishers as plain text: no mention, no link, no tag', async () => {
    const chat = await ChatService.start(() => ({ text: '{"ok":true}' }));
    const hostile = '@everyone [x](http://evil.test) <!channel> **b**';
    const message = { ...testMessage({ ...setting, language: 'en' }), lines: [hostile] };
    const url = `${chat.url}/x`;
    for (const service of ['discord', 'slack', 'teams'] as const) {
      await sendNotice(context, { name: 'Team', service, fields: { url } }, message);
    }
    const [discord, slack, teams] = chat.received.map(({ body }) => body);
    expect(discord.allowed_mentions).toEqual({ parse: [] });
    expect(discord.embeds[0].description).toContain('\\[x\\]\\(http');
    expect(slack.text).toContain('&lt;!channel&gt;');
    expect(teams.attachments[0].content.body[1].text).toContain('\\*\\*b\\*\\*');
  });
});
