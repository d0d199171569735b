import type { AccessRule } from './access';
import type { Schema } from './schema-example';

/** Under which name Node has the header of a request that may be repeated. */
export const IDEMPOTENCY_KEY = 'idempotency-key';
export const IDEMPOTENCY_REPLAYED = 'idempotency-replayed';

/** Whether the route takes the header: it writes, and who calls may be known. */
export const takesIdempotencyKey = ({ who }: AccessRule, method: string): boolean =>
  (who === 'member' || who === 'optional') && (method === 'post' || method === 'delete');

interface Parameter {
  in: string;
  name: string;
  required: boolean;
  description: string;
  schema: Schema & { minLength: number; maxLength: number; pattern: string };
}

// Made anew for each operation, which adds to it.
export const idempotencyKeyParameter = (): Parameter => ({
  in: 'header',
  name: 'Idempotency-Key',
  required: false,
  description:
    'From a signed-in caller: the same request sent again with the same key within 24 hours is not done again, ' +
    'but answered as the first time.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: '^[ -~]+$',
    example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  },
});

export const idempotencyReplayedHeader = (): Record<string, object> => ({
  'Idempotency-Replayed': {
    description:
      'That this is the answer to an earlier request with the same key. Refusals that are repeated carry it too.',
    schema: { type: 'string', enum: ['true'] },
  },
});
