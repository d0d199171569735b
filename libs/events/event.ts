/** What happens: a name, and the ids of what it happened to. */
export interface EventDefinition<Payload = unknown, Answer = unknown> {
  /** `<thing>.<what happened to it>`, unique. */
  readonly name: string;
  /** Never set: they carry the types of the payload and of what `during` listeners answer. */
  readonly payload?: Payload;
  readonly answer?: Answer;
}

const names = new Set<string>();

/**
 * Declares an event, in the `<domain>.events.ts` of the domain that publishes it. Its payload holds ids only: it is
 * kept for a day, and what it names may have changed when it is read.
 * @throws Error when there is one of this name
 */
export function defineEvent<Payload extends object, Answer = void>(
  name: `${string}.${string}`,
): EventDefinition<Payload, Answer> {
  if (names.has(name)) throw new Error(`The event "${name}" is declared twice.`);
  names.add(name);
  return { name };
}

/** An event that has its place in the one order of all. */
export interface NumberedEvent<Payload = unknown> {
  /** One more than that of the event before it, whatever that was. */
  number: number;
  name: string;
  payload: Payload;
}
