import { median } from './load';

const SAMPLES = Number(process.env.SAMPLES ?? 60);
const WARM_UPS = 10;

export interface Asked {
  name: string;
  url: string;
  headers?: Record<string, string>;
}

/** The milliseconds of each target's answers, one request at a time; targets take turns, because machines drift. */
export async function latencies(targets: Asked[]): Promise<Map<string, number[]>> {
  const times = new Map(targets.map(({ name }) => [name, [] as number[]]));
  for (let sample = -WARM_UPS; sample < SAMPLES; sample++) {
    for (const target of targets) {
      const took = await ask(target);
      if (sample >= 0) times.get(target.name)?.push(took);
    }
  }
  return times;
}

async function ask({ name, url, headers }: Asked): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, { headers });
  const body = await response.text();
  if (!response.ok) throw new Error(`${name}: ${response.status} ${body.slice(0, 200)}`);
  return performance.now() - started;
}

/** The median time of one target over that of another. */
export const slower = (times: Map<string, number[]>, name: string, than: string): number =>
  median(times.get(name) ?? []) / median(times.get(than) ?? []);

export const milliseconds = (times: Map<string, number[]>, name: string): string =>
  `${median(times.get(name) ?? []).toFixed(1)} ms`;
