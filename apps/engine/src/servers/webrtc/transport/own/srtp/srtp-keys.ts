import { createCipheriv } from 'node:crypto';

/** Accepted profiles (RFC 5764, 4.1.2; RFC 7714, 14.2) by their numbers on the wire. */
export const srtpProfiles = {
  7: { name: 'gcm', saltBytes: 12 },
  1: { name: 'sha1', saltBytes: 14 },
} as const;

export type SrtpProfile = (typeof srtpProfiles)[keyof typeof srtpProfiles];

const keyBytes = 16;

export interface MasterKey {
  readonly key: Buffer;
  readonly salt: Buffer;
}

export function materialBytes({ saltBytes }: SrtpProfile): number {
  return 2 * (keyBytes + saltBytes);
}

/** `client key, server key, client salt, server salt` (RFC 5764, 4.2). */
export function splitMaterial(material: Buffer, { saltBytes }: SrtpProfile): { client: MasterKey; server: MasterKey } {
  const salts = 2 * keyBytes;
  return {
    client: { key: material.subarray(0, keyBytes), salt: material.subarray(salts, salts + saltBytes) },
    server: {
      key: material.subarray(keyBytes, salts),
      salt: material.subarray(salts + saltBytes, salts + 2 * saltBytes),
    },
  };
}

interface SessionKeys {
  readonly key: Buffer;
  readonly auth: Buffer;
  readonly salt: Buffer;
}

/** The keys of one direction, for RTP or RTCP (RFC 3711, 4.3; RFC 7714, 11). */
export function sessionKeys(master: MasterKey, kind: 'rtp' | 'rtcp'): SessionKeys {
  const first = kind === 'rtp' ? 0 : 3;
  return {
    key: derive(master, first, keyBytes),
    auth: derive(master, first + 1, 20),
    salt: derive(master, first + 2, master.salt.length),
  };
}

/** The key stream of AES in counter mode that begins at the salt with the label in it. */
function derive({ key, salt }: MasterKey, label: number, length: number): Buffer {
  const start = Buffer.alloc(16);
  salt.copy(start);
  start.writeUInt8(start.readUInt8(7) ^ label, 7);
  return createCipheriv('aes-128-ctr', key, start).update(Buffer.alloc(length));
}
