import { type SecretRedactor, scrub } from '@weir/plane';

const mark = '[hidden]';
/** Any address, with or without two slashes that somebody forgot to escape. */
const address = /\b([a-z][a-z0-9+.-]{1,15}):\/\/([^\s"'<>\\]*)/gi;
const secretField = /secret|token|key$|pass|auth|sign|credential|opaque|cookie/i;
/** `streamKey: abc`, `password="x"`, in the words of programs. */
const named =
  /\b((?:stream[-_ ]?)?key|secret|token|pass(?:word|phrase)?|passwd|authorization)(\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;&"']+)/gi;
const mostDepth = 12;

/**
 * The one door for texts that are kept or given away. Of an address only its scheme and host stay: keys stand in paths,
 * queries and before the at sign, and no rule tells a key from a name.
 */
export class Redaction {
  readonly #hidden: Pick<SecretRedactor, 'hide'>;

  constructor(hidden: Pick<SecretRedactor, 'hide'>) {
    this.#hidden = hidden;
  }

  text(text: string, most: number): string {
    // Cut first, generously: patterns over a megabyte take their time. What is cut apart is not shown in part.
    const short = text.slice(0, most * 8);
    const hosts = short.replace(address, (_all, scheme: string, rest: string) => `${scheme}://${hostOf(rest)}`);
    const scrubbed = scrub(hosts).replace(named, (_all, name: string, sign: string) => `${name}${sign}${mark}`);
    return this.#hidden.hide(scrubbed).slice(0, most);
  }

  /** The same for a whole value; fields that are named like secrets are emptied. */
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

/** Empty when it is none, so that nothing of it is told. */
function hostOf(rest: string): string {
  const authority = rest.split(/[/?#]/, 1)[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(host) ? host : mark;
}
