/** Limit of a dialogue before its stream begins: session descriptions have a few kilobytes. */
const mostBytes = 256 * 1024;

/**
 * Watches an RTSP dialogue for a redirect: ffmpeg would follow it by itself, to wherever it leads. It follows none after it has asked
 * for the stream, so the watch ends with that.
 */
export class RtspGuard {
  #isOver = false;
  #asked = '';
  #line = '';
  #bytes = 0;

  /** Observes the client's bytes. */
  ask(chunk: Buffer): void {
    if (this.#isOver) return;
    const text = this.#asked + chunk.toString('latin1');
    if (/(?:^|\n)PLAY /.test(text)) this.#isOver = true;
    this.#asked = text.slice(-8);
  }

  /** Observes the server's bytes; false if they must not be passed on. */
  passes(chunk: Buffer): boolean {
    if (this.#isOver) return true;
    this.#bytes += chunk.length;
    const lines = (this.#line + chunk.toString('latin1')).split('\n');
    this.#line = lines.at(-1) ?? '';
    return this.#bytes <= mostBytes && !lines.some((line) => redirect.test(line));
  }
}

/** A status of redirection, or where it would lead. Also where a line is not yet complete. */
const redirect = /(?:^|[^\w])RTSP\/\S*\s+\D{0,8}0*3\d\d|^\s*Location\s*:/i;
