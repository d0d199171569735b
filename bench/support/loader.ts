/** Loads one address, as a process of its own: the options of autocannon come as JSON, its result goes out as JSON. */
import autocannon from 'autocannon';
import { percentile } from './percentile';

const times: number[] = [];
const refused: Record<number, number> = {};
const options = JSON.parse(process.argv[2] ?? '') as autocannon.Options;

const running = autocannon(options, (_error, result: autocannon.Result) =>
  process.stdout.write(JSON.stringify({ ...result, refused, p99: percentile(times, 0.99) })),
);
running.on('response', (_client, status, _bytes, ms) => {
  if (status === 200) times.push(ms);
  else refused[status] = (refused[status] ?? 0) + 1;
});
