import { MalformedMedia } from '../../frame.ts';
import type { Amf0Value } from './amf0.ts';
import { type RtmpCommand, toText } from './command.ts';
import { encodeCommand } from './replies.ts';

/** Limit of unread replies of a peer that sends requests faster than it reads. */
const maxOutputBytes = 1024 * 1024;

/** Bytes to send, until the owner collects them. */
export class SessionOutput {
  #parts: Buffer[] = [];
  #bytes = 0;

  /** The bytes to send now, if any. */
  flush(): Buffer | undefined {
    if (this.#parts.length === 0) return undefined;
    const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts, this.#bytes);
    this.#parts = [];
    this.#bytes = 0;
    return bytes;
  }

  send(bytes: Buffer): void {
    this.#bytes += bytes.length;
    if (this.#bytes > maxOutputBytes) throw new MalformedMedia('RTMP peer does not read the replies');
    this.#parts.push(bytes);
  }

  /** Transaction 0 asks for no answer, but encoders that number everything 0 still wait for `createStream`. */
  answer({ transactionId, streamId }: RtmpCommand, ...values: Amf0Value[]): void {
    this.send(encodeCommand(streamId, ['_result', transactionId, ...values]));
  }

  notify(command: string, code: string, { rest, streamId }: RtmpCommand): void {
    const description = toText(rest[0]).slice(0, 512);
    this.send(encodeCommand(streamId, [command, 0, null, { level: 'status', code, description }]));
  }
}
