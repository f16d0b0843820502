/** A body that is no hook; the message names the first field that does not fit. */
export class MalformedHook extends Error {
  override readonly name = 'MalformedHook';
}

interface TextRule {
  readonly least?: number;
  readonly most?: number;
  /** Value for an absent field; without it the field is required. */
  readonly fallback?: string;
}

/** Fields of a body from the wire, one by one. `null` counts as absent, and nobody minds fields that are not asked for. */
export class HookFields {
  readonly #body: object;

  constructor(body: unknown) {
    if (typeof body !== 'object' || body === null) throw new MalformedHook('the body must be a JSON object');
    this.#body = body;
  }

  text(name: string, { least = 0, most = Number.POSITIVE_INFINITY, fallback }: TextRule = {}): string {
    const value = this.#of(name) ?? fallback;
    if (value === undefined) throw new MalformedHook(`${name} is required`);
    if (typeof value !== 'string') throw new MalformedHook(`${name}: must be of type string`);
    if (value.length < least) throw new MalformedHook(`${name}: must be at least ${least} characters`);
    if (value.length > most) throw new MalformedHook(`${name}: must be at most ${most} characters`);
    return value;
  }

  /** Not negative. */
  number(name: string): number {
    const value = this.#of(name);
    if (value === undefined) throw new MalformedHook(`${name} is required`);
    if (typeof value !== 'number' || !(value >= 0 && value < Number.POSITIVE_INFINITY)) {
      throw new MalformedHook(`${name}: must be a number, and not negative`);
    }
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.#of(name);
    if (value !== undefined && typeof value !== 'boolean') throw new MalformedHook(`${name}: must be of type boolean`);
    return value;
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    return values.find((value) => value === this.#of(name));
  }

  #of(name: string): unknown {
    return Object.hasOwn(this.#body, name) ? ((this.#body as Record<string, unknown>)[name] ?? undefined) : undefined;
  }
}
