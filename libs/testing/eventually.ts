import { setTimeout as wait } from 'node:timers/promises';

/** Asks until the answer is there: for what another process or a queue does in its own time. */
export async function eventually<Answer>(
  ask: () => Promise<Answer | null | undefined | false> | Answer | null | undefined | false,
  withinMs = 15_000,
): Promise<Answer> {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > giveUpAt) throw new Error(`Nothing came within ${withinMs} ms.`);
    await wait(20);
  }
}
