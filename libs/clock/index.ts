/** The time, injected so that a test can set it. Leases and sweeps use the database's own time instead. */
export class Clock {
  now(): Date {
    return new Date();
  }
}
