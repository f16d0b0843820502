/** Ids seen lately, the oldest forgotten first: what is offered twice is noticed, and memory does not grow. */
export class RecentIds {
  readonly #ids = new Set<string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
    const [oldest] = this.#ids.size > this.#most ? this.#ids : [];
    if (oldest !== undefined) this.#ids.delete(oldest);
  }
}
