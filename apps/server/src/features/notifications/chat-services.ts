import { createHmac } from 'node:crypto';
import { hookSignatureHeader, type NotificationService } from '@weir/contract';
import { bodySignature } from '../../core/body-signature.ts';
import type { OutgoingRequest } from '../../core/outgoing/request/outgoing-client.ts';
import type { Message } from './notice-text.ts';

type Fields = Readonly<Record<string, string>>;

interface Service {
  /** The message in the form that the service documents. */
  readonly request: (fields: Fields, message: Message, nowMs: number) => OutgoingRequest;
  /** True if the service accepted it; all of them must answer with a status below 300 as well. */
  readonly accepts?: (answer: Readonly<Record<string, unknown>>) => boolean;
}

const colours = { bad: 0xe03131, warn: 0xf08c00, good: 0x2f9e44 } as const;
/** Texts of WeCom; others take twice as much and more. */
const weComBytes = 2048;

/** Services that take a message by one HTTP request. Names in messages come from publishers: they are plain text, or escaped. */
export const chatServices: Record<Exclude<NotificationService, 'email' | 'push'>, Service> = {
  webhook: {
    request: ({ url = '', signingKey = '' }, message, nowMs) => {
      const { title, lines, tone, link, began, ended } = message;
      const body = JSON.stringify({
        event: began.length + ended.length === 0 ? 'test' : 'alerts',
        at: new Date(nowMs).toISOString(),
        title,
        text: lines.join('\n'),
        tone,
        link,
        began: began.map(toProgram),
        ended: ended.map((one) => ({ ...toProgram(one), endedAt: new Date(one.goneAtMs).toISOString() })),
      });
      return json(
        url,
        body,
        signingKey === '' ? {} : { [hookSignatureHeader]: bodySignature(signingKey, body, nowMs) },
      );
    },
  },
  telegram: {
    request: ({ server = '', token = '', chat = '' }, message) =>
      json(`${withoutSlash(server) || 'https://api.telegram.org'}/bot${token}/sendMessage`, {
        chat_id: chat,
        text: plainText(message),
        disable_web_page_preview: true,
      }),
    accepts: ({ ok }) => ok === true,
  },
  discord: {
    request: ({ url = '' }, { title, lines, tone, link }) =>
      json(url, {
        embeds: [
          {
            title: title.slice(0, 256),
            description: lines.map(escapeMarkdown).join('\n').slice(0, 4096),
            color: colours[tone],
            ...(link !== '' && { url: link }),
          },
        ],
        allowed_mentions: { parse: [] },
      }),
  },
  slack: {
    request: ({ url = '' }, { title, lines, link, linkText }) => {
      const tail = link === '' ? [] : [`<${escapeSlack(link)}|${linkText}>`];
      return json(url, { text: [`*${escapeSlack(title)}*`, ...lines.map(escapeSlack), ...tail].join('\n') });
    },
  },
  teams: {
    request: ({ url = '' }, { title, lines, link, linkText }) =>
      json(url, {
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            content: {
              $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
              type: 'AdaptiveCard',
              version: '1.4',
              body: [
                { type: 'TextBlock', text: escapeMarkdown(title), weight: 'Bolder', wrap: true },
                ...lines.map((line) => ({ type: 'TextBlock', text: escapeMarkdown(line), wrap: true })),
              ],
              actions: link === '' ? [] : [{ type: 'Action.OpenUrl', title: linkText, url: link }],
            },
          },
        ],
      }),
  },
  ntfy: {
    request: ({ server = '', topic = '', token = '' }, { title, lines, tone, link }) =>
      json(
        `${withoutSlash(server)}/`,
        {
          topic,
          title,
          message: lines.join('\n'),
          priority: { bad: 5, warn: 4, good: 3 }[tone],
          ...(link !== '' && { click: link }),
        },
        token === '' ? {} : { authorization: `Bearer ${token}` },
      ),
  },
  gotify: {
    request: ({ server = '', token = '' }, { title, lines, tone, link }) =>
      json(
        `${withoutSlash(server)}/message`,
        {
          title,
          message: lines.join('\n'),
          priority: { bad: 8, warn: 5, good: 3 }[tone],
          ...(link !== '' && { extras: { 'client::notification': { click: { url: link } } } }),
        },
        { 'x-gotify-key': token },
      ),
  },
  bark: {
    request: ({ server = '', key = '' }, { title, lines, tone, link }) =>
      json(`${withoutSlash(server)}/push`, {
        device_key: key,
        title,
        body: lines.join('\n'),
        group: 'Weir',
        level: tone === 'bad' ? 'timeSensitive' : 'active',
        ...(link !== '' && { url: link }),
      }),
    accepts: ({ code }) => code === 200,
  },
  wecom: {
    request: ({ url = '' }, message) =>
      json(url, { msgtype: 'text', text: { content: cutBytes(plainText(message), weComBytes) } }),
    accepts: ({ errcode }) => errcode === 0,
  },
  dingtalk: {
    request: ({ url = '', signingKey = '' }, message, nowMs) =>
      json(signingKey === '' ? url : signDingTalk(url, signingKey, nowMs), {
        msgtype: 'text',
        text: { content: plainText(message) },
      }),
    accepts: ({ errcode }) => errcode === 0,
  },
  feishu: {
    request: ({ url = '', signingKey = '' }, { title, lines, link, linkText }, nowMs) => {
      // A message of kind "text" would read names of publishers as mentions.
      const content = [
        ...lines.map((line) => [{ tag: 'text', text: line }]),
        ...(link === '' ? [] : [[{ tag: 'a', text: linkText, href: link }]]),
      ];
      return json(url, {
        ...(signingKey !== '' && signFeishu(signingKey, nowMs)),
        msg_type: 'post',
        content: { post: { zh_cn: { title, content } } },
      });
    },
    accepts: ({ code, StatusCode }) => code === 0 || StatusCode === 0,
  },
};

function json(url: string, body: string | object, headers: Readonly<Record<string, string>> = {}): OutgoingRequest {
  return {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Weir', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

function plainText({ title, lines, link }: Message): string {
  return [title, ...lines, ...(link === '' ? [] : [link])].join('\n');
}

function toProgram({ key, topic, severity, since, count, subject, label, cause, stream }: Message['began'][number]) {
  return { key, topic, severity, since, count, subject, label, cause, stream };
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`>|[\]()#@]/g, '\\$&');
}

function escapeSlack(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  return text.replace(/[&<>]/g, (character) => entities[character] ?? character);
}

function cutBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  const end = '\u2026';
  return new TextDecoder().decode(Buffer.from(text).subarray(0, most - 8)).replace(/\uFFFD+$/, '') + end;
}

function signDingTalk(url: string, key: string, nowMs: number): string {
  if (!URL.canParse(url)) return url;
  const signed = new URL(url);
  signed.searchParams.set('timestamp', String(nowMs));
  signed.searchParams.set('sign', createHmac('sha256', key).update(`${nowMs}\n${key}`).digest('base64'));
  return signed.href;
}

function signFeishu(key: string, nowMs: number): { timestamp: string; sign: string } {
  const timestamp = String(Math.floor(nowMs / 1000));
  return { timestamp, sign: createHmac('sha256', `${timestamp}\n${key}`).digest('base64') };
}
