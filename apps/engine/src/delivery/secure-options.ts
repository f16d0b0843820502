import type { SecureContextOptions } from 'node:tls';

/**
 * No list of authorities: it takes memory, and only servers that ask for client certificates need it. The client chooses the cipher, because
 * it knows its hardware: browsers choose AES-128 or, on small phones, ChaCha20. Node would choose AES-256 for all.
 */
export const tlsOptions: SecureContextOptions = { minVersion: 'TLSv1.2', ca: [], honorCipherOrder: false };

/** Protocols for TLS to choose from, best first. */
export const tlsProtocols = ['h2', 'http/1.1'];

/** What a process needs to speak TLS for the HTTPS port: clients resume a session with any of them. */
export interface SecureSettings {
  readonly key: string;
  readonly cert: string;
  /** Keys of session tickets, in base64. */
  readonly ticketKeys: string;
  /** Longest time to begin and to end a handshake. */
  readonly handshakeMs: number;
  /** Private socket of the process that gets what was decrypted. */
  readonly path: string;
}

/** Part of what a ticket belongs to: the same in all processes. */
export const sessionIdContext = 'weir';
