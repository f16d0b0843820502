import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A maintainer with a key of minisign. */
export class ReleaseSigner {
  readonly #id = randomBytes(8);
  readonly #keys = generateKeyPairSync('ed25519');

  /** The line of the public key file. */
  get publicKey(): string {
    const der = this.#keys.publicKey.export({ format: 'der', type: 'spki' });
    return this.#line(der.subarray(-32));
  }

  /** Text of the `.minisig` file. */
  sign(bytes: string | Uint8Array): string {
    const signature = sign(null, Buffer.from(bytes), this.#keys.privateKey);
    return `untrusted comment: signature\n${this.#line(signature)}\ntrusted comment: test\nAAAA\n`;
  }

  #line(bytes: Uint8Array): string {
    return Buffer.concat([Buffer.from('Ed'), this.#id, bytes]).toString('base64');
  }
}
