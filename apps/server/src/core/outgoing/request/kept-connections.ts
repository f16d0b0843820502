import { Agent as HttpAgent } from 'node:http';
import { https } from '../../secure-modules.ts';
import type { CheckedTarget } from '../outgoing-target.ts';

/** Less than servers wait: most close after five seconds. */
const idleMs = 4000;
const options = { keepAlive: true, maxFreeSockets: 4, timeout: idleMs } as const;

/**
 * Connections that are used again when the next question follows at once, as it does in a conversation. Each was opened to an address that was checked;
 * the checked addresses are a part of its name, so only a question that was resolved to the very same ones gets it.
 */
export class KeptConnections {
  readonly #http = new PinnedHttp(options);
  #https: HttpAgent | undefined;

  agentOf({ url }: CheckedTarget): HttpAgent {
    if (url.protocol === 'http:') return this.#http;
    this.#https ??= pinnedHttps();
    return this.#https;
  }
}

/** Key by which both agents tell connections apart. Passed with the options of each request. */
export function connectionPin({ addresses }: CheckedTarget): { readonly pin: string } {
  return {
    pin: addresses
      .map(({ address }) => address)
      .sort()
      .join(),
  };
}

type Named = Parameters<HttpAgent['getName']>[0] & { readonly pin?: string };

class PinnedHttp extends HttpAgent {
  override getName(asked?: Named): string {
    return `${super.getName(asked)}:${asked?.pin}`;
  }
}

function pinnedHttps(): HttpAgent {
  class PinnedHttps extends https().Agent {
    override getName(asked?: Named): string {
      return `${super.getName(asked)}:${asked?.pin}`;
    }
  }
  return new PinnedHttps(options);
}
