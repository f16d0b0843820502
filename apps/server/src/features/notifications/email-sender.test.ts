import { expect, it } from 'vitest';
import { sendEmail } from './email-sender.ts';
import { testMessage } from './notice-text.ts';
import { startMailServer } from './services.fixture.ts';

const message = testMessage({ language: 'zh', server: 'weir.test', address: 'https://weir.test', zone: 'UTC' });

it('an e-mail arrives at all recipients, and the mail server says why not', async () => {
  const { mails, port } = await startMailServer({ password: 'right' });
  const fields = {
    host: '127.0.0.1',
    port,
    security: 'none',
    user: 'weir',
    password: 'right',
    sender: 'Weir <weir@example.com>',
    recipients: 'ann@example.com, bob@example.com',
  };
  expect(await sendEmail(fields, message)).toMatchObject({ isAccepted: true, status: 250 });
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({ from: 'weir@example.com', to: ['ann@example.com', 'bob@example.com'] });
  const words = [...(mails[0]?.text ?? '').matchAll(/=\?UTF-8\?Q\?([^?]+)\?=/g)].map(([, word = '']) => word).join('');
  expect(decodeURIComponent(words.replaceAll('_', ' ').replaceAll('=', '%'))).toContain('测试消息');
  const refused = await sendEmail({ ...fields, password: 'wrong' }, message);
  expect(refused).toMatchObject({
    isAccepted: false,
    status: 535,
    answer: expect.stringContaining('Invalid username'),
  });
  const encrypted = sendEmail({ ...fields, security: 'starttls' }, message);
  await expect(encrypted, 'its certificate is signed by nobody').rejects.toMatchObject({ failure: 'bad-certificate' });
  const plain = sendEmail({ ...fields, security: 'tls' }, message);
  await expect(plain, 'the port speaks no TLS').rejects.toMatchObject({ failure: 'no-connection', fact: 'no-tls' });
  expect(mails).toHaveLength(1);
});

it.each([
  ['169.254.169.254', '25', 'forbidden-address'],
  ['127.0.0.1', '1', 'no-connection'],
  ['name.invalid', '25', 'unknown-name'],
])('S14: a mail server at %s port %s is not reached: %s', async (host, port, failure) => {
  const fields = { host, port, security: 'none', sender: 'a@example.com', recipients: 'b@example.com' };
  await expect(sendEmail(fields, message)).rejects.toMatchObject({ failure });
});
