import { SecretRedactor } from '@weir/plane';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redaction } from './redaction.ts';

const plain = new Redaction(new SecretRedactor());
/** Secrets as people and machines choose them, long enough that no ordinary word is one. */
const secret = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.~-]{10,38}[A-Za-z0-9]$/);
const word = fc.stringMatching(/^[a-z]{1,8}$/);
const host = fc.constantFrom(
  'a.example',
  'live.example.com',
  '192.0.2.7',
  'rtmp.example.org:1935',
  '[2001:db8::1]:443',
);

/** Ways a secret stands in what programs, receivers and people write. */
const shapes: readonly ((hidden: string, name: string, at: string) => string)[] = [
  (hidden, name, at) => `Error opening output rtmp://${at}/${name}/${hidden}: Connection refused`,
  (hidden, name, at) => `rtmps://${at}/${name}?secret=${hidden}&${name}=1`,
  (hidden, name, at) => `https://${name}:${hidden}@${at}/path`,
  (hidden, _name, at) => `rtsp://${hidden}@${at}`,
  (hidden, name, at) => `srt://${at}?streamid=#!::r=${name},secret=${hidden},m=publish`,
  (hidden, name, at) => `srt://${at}?passphrase=${hidden}#${name}`,
  (hidden) => `authorization: Bearer ${hidden}`,
  (hidden, name) => `${name} password=${hidden} ${name}`,
  (hidden) => `stream key: "${hidden}"`,
  (hidden, name) => `token=${hidden}&${name}=2`,
];

describe('redaction', () => {
  it('removes secrets of every known shape, wherever they are', () => {
    fc.assert(
      fc.property(
        ...[secret, word, host, word, fc.integer({ min: 0, max: shapes.length - 1 })],
        (hidden, name, at, around, shape) => {
          fc.pre(!`${around}${name}${at}`.includes(hidden));
          const text = `${around} ${shapes[shape]?.(hidden, name, at)}`;
          expect(plain.text(text, 300)).not.toContain(hidden);
          expect(JSON.stringify(plain.value({ [name]: [{ deep: text }] }, 300))).not.toContain(hidden);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('removes every known secret, in upper or lower case, also when it is cut', () => {
    fc.assert(
      fc.property(secret, word, fc.integer({ min: 1, max: 60 }), (hidden, around, most) => {
        const knowing = new Redaction(new SecretRedactor([hidden]));
        const kept = knowing.text(`${around} ${hidden.toUpperCase()} x${hidden}y ${hidden}`, most);
        expect(kept.toLowerCase()).not.toContain(hidden.toLowerCase());
        expect(kept.length).toBeLessThanOrEqual(most);
      }),
      { numRuns: 500 },
    );
  });

  it('empties fields with names of secrets, and keeps numbers and switches', () => {
    const value = {
      publishSecret: 'abc',
      api_key: 'def',
      Token: '',
      count: 3,
      isOn: true,
      list: [{ password: 'ghi' }],
    };
    expect(plain.value(value, 100)).toEqual({
      publishSecret: '[hidden]',
      api_key: '[hidden]',
      Token: '',
      count: 3,
      isOn: true,
      list: [{ password: '[hidden]' }],
    });
  });

  it('leaves readable what a person needs', () => {
    expect(plain.text('Connection to tcp://live.example.com:1935?x=1 failed: timed out', 300)).toBe(
      'Connection to tcp://live.example.com:1935 failed: timed out',
    );
    expect(plain.text('h264 High 1920×1080', 300)).toBe('h264 High 1920×1080');
  });
});
