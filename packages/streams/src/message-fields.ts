const required = 'is required';

/** A message that cannot be used; `field` names the first part that does not fit, such as `cues[2].endMs`. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
  readonly field: string;
  readonly #problem: string;

  /** An empty field means the whole message. */
  constructor(field: string, problem: string) {
    super(field === '' ? `the body ${problem}` : `${field}${problem === required ? '' : ':'} ${problem}`);
    this.field = field;
    this.#problem = problem;
  }

  /** The same error with its path in the enclosing message. */
  inside(place: string): MalformedMessage {
    return new MalformedMessage(this.field === '' ? place : `${place}.${this.field}`, this.#problem);
  }
}

interface TextRule {
  readonly least?: number;
  readonly most?: number;
  /** Value for an absent field; without it the field is required. */
  readonly fallback?: string;
}

/** Limit for texts without one of their own, such as the query of a publisher's address. */
const longestText = 16 * 1024;

/** Fields of a message from the wire. `null` counts as absent, and unknown fields are ignored. Every reader throws MalformedMessage. */
export class MessageFields {
  readonly #body: object;

  constructor(body: unknown) {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new MalformedMessage('', 'must be a JSON object');
    }
    this.#body = body;
  }

  text(name: string, { least = 0, most = longestText, fallback }: TextRule = {}): string {
    const value = this.value(name) ?? fallback;
    if (value === undefined) throw new MalformedMessage(name, required);
    if (typeof value !== 'string') throw new MalformedMessage(name, 'must be of type string');
    if (value.length < least) throw new MalformedMessage(name, `must be at least ${least} characters`);
    if (value.length > most) throw new MalformedMessage(name, `must be at most ${most} characters`);
    return value;
  }

  /** Not negative. */
  number(name: string): number {
    const value = this.#required(name);
    if (typeof value !== 'number' || !(value >= 0 && value < Number.POSITIVE_INFINITY)) {
      throw new MalformedMessage(name, 'must be a number, and not negative');
    }
    return value;
  }

  /** Not negative. */
  whole(name: string): number {
    const value = this.number(name);
    if (!Number.isSafeInteger(value)) throw new MalformedMessage(name, 'must be a whole number');
    return value;
  }

  flag(name: string): boolean {
    return this.optionalFlag(name) ?? this.#missing(name);
  }

  optionalFlag(name: string): boolean | undefined {
    const value = this.value(name);
    if (value !== undefined && typeof value !== 'boolean') throw new MalformedMessage(name, 'must be of type boolean');
    return value;
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value {
    const value = this.#required(name);
    const found = values.find((each) => each === value);
    if (found === undefined) throw new MalformedMessage(name, `must be one of ${values.join(', ')}`);
    return found;
  }

  /** Undefined for a value that is absent or not in the list: another version may know more of them. */
  knownOneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    return values.find((value) => value === this.value(name));
  }

  part<Part>(name: string, decode: (value: unknown) => Part): Part {
    return decodeInside(name, this.#required(name), decode);
  }

  list<Item>(name: string, most: number, decode: (value: unknown) => Item): Item[] {
    const values = this.#required(name);
    if (!Array.isArray(values)) throw new MalformedMessage(name, 'must be a list');
    if (values.length > most) throw new MalformedMessage(name, `must have at most ${most} entries`);
    return values.map((value, index) => decodeInside(`${name}[${index}]`, value, decode));
  }

  has(name: string): boolean {
    return this.value(name) !== undefined;
  }

  value(name: string): unknown {
    return Object.hasOwn(this.#body, name) ? ((this.#body as Record<string, unknown>)[name] ?? undefined) : undefined;
  }

  #required(name: string): unknown {
    return this.value(name) ?? this.#missing(name);
  }

  #missing(name: string): never {
    throw new MalformedMessage(name, required);
  }
}

function decodeInside<Part>(place: string, value: unknown, decode: (value: unknown) => Part): Part {
  try {
    return decode(value);
  } catch (error) {
    throw error instanceof MalformedMessage ? error.inside(place) : error;
  }
}
