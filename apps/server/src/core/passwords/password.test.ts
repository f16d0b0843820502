import { expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './password.ts';

it('accepts its password and no other, with a new salt each time', async () => {
  const hash = await hashPassword('0123');
  expect(hash).toMatch(/^scrypt:32768:8:1:/);
  expect(await verifyPassword('0123', hash)).toBe(true);
  for (const wrong of ['123', '0123 ', '', '0124']) expect(await verifyPassword(wrong, hash)).toBe(false);
  expect(await hashPassword('0123')).not.toBe(hash);
});

it('treats the two Unicode forms of an accented letter as one', async () => {
  expect(await verifyPassword('caf\u00e9', await hashPassword('cafe\u0301'))).toBe(true);
});

it('treats a damaged entry as a wrong password', async () => {
  for (const stored of ['', 'plain', 'scrypt:1:2', 'argon:32768:8:1:AAAA:AAAA']) {
    expect(await verifyPassword('x', stored)).toBe(false);
  }
});
