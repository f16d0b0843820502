import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { expect, it, onTestFinished } from 'vitest';
import { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import { testMessage } from './notice-text.ts';
import { encryptPush, makePushKeys, sendPush } from './push-sender.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

it('a message is encrypted as in the example of RFC 8291', () => {
  const device = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  };
  const made = {
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  };
  const sealed = encryptPush(Buffer.from('When I grow up, I want to be a watermelon'), device, made);
  expect(sealed.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

/** Decrypts as a browser does. */
function open(sealed: Buffer, device: ReturnType<typeof createECDH>, auth: Buffer): string {
  const [salt, own, rest] = [sealed.subarray(0, 16), sealed.subarray(21, 86), sealed.subarray(86)];
  const info = (label: string, ...more: Buffer[]) => Buffer.concat([Buffer.from(`${label}\0`), ...more]);
  const whole = info('WebPush: info', device.getPublicKey(), own);
  const secret = Buffer.from(hkdfSync('sha256', device.computeSecret(own), auth, whole, 32));
  const key = Buffer.from(hkdfSync('sha256', secret, salt, info('Content-Encoding: aes128gcm'), 16));
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, info('Content-Encoding: nonce'), 12));
  const opening = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(rest.subarray(-16));
  return Buffer.concat([opening.update(rest.subarray(0, -16)), opening.final()])
    .subarray(0, -1)
    .toString();
}

it('a device gets the message through its push service, which can tell who sent it', async () => {
  const device = createECDH('prime256v1');
  device.generateKeys();
  const auth = Buffer.from('0123456789abcdef');
  const got: { headers: Record<string, unknown>; body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    got.push({ headers: request.headers, body: await buffer(request) });
    response.writeHead(got.length === 1 ? 201 : 410).end(got.length === 1 ? '' : 'push subscription has expired');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = makePushKeys();
  const fields = {
    endpoint: `${origin}/push/abc`,
    p256dh: device.getPublicKey('base64url'),
    auth: auth.toString('base64url'),
  };
  const given = { fields, keys, contact: 'https://weir.test' };
  const setting = { language: 'zh', server: 'weir.test', address: 'https://weir.test', zone: '' } as const;
  const outgoing = new OutgoingClient();
  expect(await sendPush(outgoing, given, testMessage(setting))).toMatchObject({ isAccepted: true, status: 201 });
  const [first] = got;
  expect(first?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '43200', urgency: 'normal' });
  const shown = JSON.parse(open(first?.body ?? Buffer.alloc(0), device, auth));
  expect(shown).toMatchObject({
    title: '[weir.test] 测试消息',
    tone: 'good',
    link: expect.stringContaining('/mgmt/zh/'),
  });
  const [, token = '', key = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(String(first?.headers.authorization)) ?? [];
  expect(key).toBe(keys.publicKey);
  const point = bytes(key);
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: [jwk] }), { audience: origin });
  expect(payload.sub).toBe('https://weir.test');
  const expired = await sendPush(outgoing, given, testMessage(setting));
  expect(expired).toMatchObject({ isAccepted: false, status: 410, answer: 'push subscription has expired' });
});

it('keys that are no point of the curve are refused before anything is sent', async () => {
  const fields = { endpoint: 'http://127.0.0.1:1/', p256dh: 'AAAA', auth: 'AAAA' };
  const setting = { language: 'en', server: 'x', address: '', zone: '' } as const;
  const sent = sendPush(
    new OutgoingClient(),
    { fields, keys: makePushKeys(), contact: 'https://x.test' },
    testMessage(setting),
  );
  await expect(sent).rejects.toMatchObject({ failure: 'bad-url' });
});
