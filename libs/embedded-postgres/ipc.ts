/** Messages between the process that starts a host and the host. */
export interface OpenRequest {
  type: 'open';
  /** null: in memory */
  dataDir: string | null;
  /** a dump that fills an in-memory database */
  template: string | null;
  /** 0: any free port */
  port: number;
  password: string;
}

export type HostRequest = OpenRequest | { type: 'ping' } | { type: 'stop' } | { type: 'dump'; file: string };

export type HostEvent =
  | { type: 'ready'; port: number }
  | { type: 'busy' }
  | { type: 'failed'; message: string }
  | { type: 'pong' }
  | { type: 'dumped'; file: string; error: string | null };
