import { Weir } from '../weir.fixture.ts';

/** A whole Weir with an administrator and a publish secret. */
export class Live {
  readonly weir: Weir;
  readonly secret: string;
  readonly #bearer: string;

  private constructor(weir: Weir, bearer: string, secret: string) {
    this.weir = weir;
    this.#bearer = bearer;
    this.secret = secret;
  }

  static async start(env: Record<string, string> = {}): Promise<Live> {
    const weir = await Weir.start(env);
    const { bearer } = await weir.setUp();
    const auth = { authorization: `Bearer ${bearer}` };
    const answer = await weir.post('/terraform/v1/hooks/srs/secret/query', {}, auth);
    return new Live(weir, bearer, answer.data.publish);
  }

  post(path: string, body: object = {}) {
    return this.weir.post(path, body, { authorization: `Bearer ${this.#bearer}` });
  }

  rtmp(name: string, query = ''): string {
    return `rtmp://127.0.0.1:${this.weir.rtmpPort}/live/${name}${query}`;
  }

  /** The address a publisher uses, secret included. */
  publishUrl(name: string): string {
    return this.rtmp(name, `?secret=${this.secret}`);
  }

  http(name: string, suffix: string): string {
    return `${this.weir.origin}/live/${name}${suffix}`;
  }

  /** Whether a viewer would find the stream. */
  async isLive(name: string): Promise<boolean> {
    const response = await fetch(this.http(name, '.flv'), { method: 'HEAD' });
    return response.status === 200;
  }

  close(): Promise<void> {
    return this.weir.close();
  }
}

/** A viewer over HTTP-FLV that counts what it gets. */
export class FlvViewer {
  readonly #abort = new AbortController();
  bytes = 0;
  hasEnded = false;

  static async open(url: string): Promise<FlvViewer> {
    const viewer = new FlvViewer();
    const response = await fetch(url, { signal: viewer.#abort.signal });
    if (response.status !== 200 || !response.body) throw new Error(`no stream: ${response.status}`);
    const read = async (body: AsyncIterable<Uint8Array>) => {
      for await (const chunk of body) viewer.bytes += chunk.length;
    };
    read(response.body)
      .catch(() => undefined)
      .finally(() => {
        viewer.hasEnded = true;
      });
    return viewer;
  }

  close(): void {
    this.#abort.abort();
  }
}
