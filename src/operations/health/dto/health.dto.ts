import { ApiProperty } from '@nestjs/swagger';

export class LiveDto {
  /** @example "ok" */
  status!: string;
}

export const QUEUE_STATES = ['ok', 'away'] as const;
export type QueueState = (typeof QUEUE_STATES)[number];

export class ReadyDto {
  /** @example "ready" */
  status!: string;

  /** While the queue is away, requests are served, and what they cause is done later. */
  @ApiProperty({ enum: QUEUE_STATES, example: 'ok' })
  queue!: QueueState;
}

export class VersionDto {
  /**
   * Version of the service.
   * @example "1.0.0"
   */
  version!: string;

  /**
   * Version of the interface.
   * @example "1.0.0"
   */
  api!: string;
}
