import { Injectable } from '@nestjs/common';
import * as ipaddr from 'ipaddr.js';
import { collectDefaultMetrics, register } from 'prom-client';
import { Settings } from '#libs/config';
import { sameSecret } from '#libs/crypto';
import { ForbiddenError } from '#libs/errors';

@Injectable()
export class MetricsService {
  constructor(private readonly settings: Settings) {
    if (!register.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics();
  }

  /**
   * @param address of the connection itself, whatever a proxy says
   * @throws ForbiddenError when the caller may not read them
   */
  async read(authorization: string | undefined, address: string | undefined): Promise<string> {
    const { METRICS_TOKEN } = this.settings;
    const allowed = METRICS_TOKEN
      ? sameSecret(authorization ?? '', `Bearer ${METRICS_TOKEN}`)
      : address !== undefined && ipaddr.process(address).range() === 'loopback';
    if (!allowed) throw new ForbiddenError('Metrics are not open to you.');
    return register.metrics();
  }
}
