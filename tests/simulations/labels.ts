/** The fields of requests whose values are texts even where they look like labels. */
const TEXTS = ['name', 'q'];

/** Maps the ids of Opine to the labels of a model, such as `post 3`, and back. */
export class Labels {
  readonly #labels = new Map<unknown, string>();
  readonly #ids = new Map<unknown, unknown>();

  set(id: unknown, label: string): void {
    this.#labels.set(id, label);
    this.#ids.set(label, id);
  }

  of(id: unknown): string | undefined {
    return this.#labels.get(id);
  }

  idOf(label: unknown): unknown {
    return this.#ids.get(label);
  }

  /** Returns the arguments of a request with ids instead of labels. */
  toIds(args: object): object {
    const toId = (value: unknown) => this.#ids.get(value) ?? value;
    const convert = (key: string, value: unknown) =>
      TEXTS.includes(key) ? value : Array.isArray(value) ? value.map(toId) : toId(value);
    return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, convert(key, value)]));
  }
}
