import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EventDefinition } from './event';

interface Declared {
  event: string;
  type: Type;
  method: string;
}
type Listening = (payload: unknown) => Promise<unknown>;

const declared: Declared[] = [];

/**
 * Declares a method that is called while the event is published, in the same transaction. What it throws refuses what
 * was about to happen; what it returns is an answer to the publisher. Its class is a provider in a `.listener.ts`.
 */
export const During =
  <Payload, Answer>(event: EventDefinition<Payload, Answer>) =>
  <Method extends (payload: Payload) => Promise<Answer>>(
    target: object,
    method: string,
    _descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    declared.push({ event: event.name, type: target.constructor as Type, method });
  };

/** The `during` listeners, as this process provides them. */
@Injectable()
export class DuringListeners {
  private readonly listening = new Map<string, Listening[]>();

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws Error when this process does not provide one of them */
  of({ name }: EventDefinition): readonly Listening[] {
    const known = this.listening.get(name);
    if (known) return known;
    const found = declared.filter(({ event }) => event === name).map((one) => this.find(one));
    this.listening.set(name, found);
    return found;
  }

  /** @throws Error when one that is declared, for whatever event, is not provided, or is twice */
  check(): void {
    for (const one of declared) this.find(one);
  }

  private find(one: Declared): Listening {
    const { event, type, method } = one;
    const providers = new Set(this.discovery.getProviders().map(({ instance }) => instance as unknown));
    const [own, ...others] = [...providers].filter((provider) => provider instanceof type);
    if (!own || others.length > 0) {
      const times = own ? others.length + 1 : 0;
      throw new Error(
        `The listener "${type.name}.${method}" of "${event}" is provided ${times} times; it must be once.`,
      );
    }
    return (payload) => (own as Record<string, Listening>)[method]?.(payload) ?? Promise.resolve();
  }
}
