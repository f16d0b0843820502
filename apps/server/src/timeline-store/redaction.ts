import { type SecretRedactor, scrub } from '@weir/plane';

const mark = '[hidden]';
/** Addresses with a scheme. */
const address = /\b([a-z][a-z0-9+.-]{1,15}):\/\/([^\s"'<>\\]*)/gi;
const secretField = /secret|token|key$|pass|auth|sign|credential|opaque|cookie/i;
/** Secrets with a name, as programs print them: `streamKey: abc`, `password="x"`. */
const named =
  /\b((?:stream[-_ ]?)?key|secret|token|pass(?:word|phrase)?|passwd|authorization)(\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;&"']+)/gi;
const mostDepth = 12;

/**
 * Removes secrets from all texts that are stored or given away. Only scheme and host of an address stay, because keys may stand in paths,
 * queries and before the at sign, and cannot be told from names.
 */
export class Redaction {
  readonly #hidden: Pick<SecretRedactor, 'hide'>;

  constructor(hidden: Pick<SecretRedactor, 'hide'>) {
    this.#hidden = hidden;
  }

  text(text: string, most: number): string {
    // Patterns over a megabyte are slow. The margin keeps a secret that is cut apart out of the result.
    const short = text.slice(0, most * 8);
    const hosts = short.replace(address, (_all, scheme: string, rest: string) => `${scheme}://${hostOf(rest)}`);
    const scrubbed = scrub(hosts).replace(named, (_all, name: string, sign: string) => `${name}${sign}${mark}`);
    return this.#hidden.hide(scrubbed).slice(0, most);
  }

  /** Redacts all texts within a value. Fields that are named like secrets are hidden. */
  value(value: unknown, most: number, depth = 0): unknown {
    if (typeof value === 'string') return this.text(value, most);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= mostDepth) return null;
    if (Array.isArray(value)) return value.map((each) => this.value(each, most, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        const isSecret = secretField.test(name) && typeof each === 'string' && each !== '';
        return [this.text(name, most), isSecret ? mark : this.value(each, most, depth + 1)];
      }),
    );
  }
}

/** Returns the host of an address; a mark if the text is no host. */
function hostOf(rest: string): string {
  const authority = rest.split(/[/?#]/, 1)[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(host) ? host : mark;
}
