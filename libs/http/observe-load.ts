import { Gauge, register } from 'prom-client';
import type { InHand } from './in-hand';
import type { Places } from './places';

/** What bounds the load, and how much of it there is, whenever somebody asks. */
export function observeLoad(places: Places, { bodies, answers }: InHand): void {
  gauge(
    'http_requests_at_work',
    'Requests from the end of their bodies until their answers have left.',
    () => places.count,
  );
  gauge('http_requests_at_work_limit', 'How many of them there may be.', () => places.limit.current);
  gauge('http_bodies_in_hand_bytes', 'Bodies of requests that are held.', () => bodies.bytes);
  gauge(
    'http_answers_in_hand_bytes',
    'Answers that are held until their readers have taken them.',
    () => answers.bytes,
  );
}

/** Of the last application that was made in the process: only tests make several. */
function gauge(name: string, help: string, value: () => number): void {
  register.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    collect() {
      this.set(value());
    },
  });
}
