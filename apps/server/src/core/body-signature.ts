import { createHmac } from 'node:crypto';

/** Signature over time and body, so that neither a changed body nor an old one that is sent again passes. */
export function bodySignature(secret: string, body: string, atMs: number): string {
  const seconds = Math.floor(atMs / 1000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}
