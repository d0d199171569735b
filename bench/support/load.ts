import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Options } from 'autocannon';
import { LOAD_CORE, onCore } from './process';

export const CONNECTIONS = 20;
export const ROUNDS = Number(process.env.ROUNDS ?? 5);
export const SECONDS = Number(process.env.ROUND_SECONDS ?? 5);
const WARM_UP_SECONDS = 3;
const LOADER = join(__dirname, 'loader.js');

export interface Target {
  name: string;
  /** Each `[<id>]` in it becomes another text in each request. */
  url: string;
  headers?: Record<string, string>;
}

export interface Loaded {
  /** Per second, refused ones included. */
  requests: { average: number };
  non2xx: number;
  errors: number;
  /** How many answers of each status other than 200. */
  refused: Record<string, number>;
  /** In milliseconds, of answers of status 200. */
  p99: number;
}

/** Loads an address from another core, with the options of autocannon. */
export async function loadWith(options: Options): Promise<Loaded> {
  const [command, args] = onCore(LOAD_CORE, process.execPath, LOADER, JSON.stringify(options));
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  return JSON.parse(await text(child.stdout)) as Loaded;
}

/** Loads one target and answers its requests per second. */
export async function load({ name, url, headers = {} }: Target, seconds = SECONDS): Promise<number> {
  const options = { url, headers, connections: CONNECTIONS, duration: seconds, idReplacement: true };
  const result = await loadWith(options);
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${name}: ${result.non2xx} refusals and ${result.errors} errors under load`);
  }
  return result.requests.average;
}

/** The requests per second of each target in each round; the rounds take turns, because machines drift. */
export async function inTurns(targets: Target[]): Promise<Map<string, number[]>> {
  const rates = new Map(targets.map(({ name }) => [name, [] as number[]]));
  for (const target of targets) await load(target, WARM_UP_SECONDS);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const target of targets) {
      const rate = await load(target);
      rates.get(target.name)?.push(rate);
      console.error(`round ${round}/${ROUNDS}  ${target.name}  ${Math.round(rate)}/s`);
    }
  }
  return rates;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** The median of the rounds' own ratios: both sides of each were measured within seconds of each other. */
export const ratio = (rates: Map<string, number[]>, of: string, to: string): number =>
  median((rates.get(of) ?? []).map((rate, round) => rate / (rates.get(to)?.[round] ?? Number.NaN)));
