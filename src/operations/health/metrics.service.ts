import type { IncomingHttpHeaders } from 'node:http';
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
  async read(headers: IncomingHttpHeaders, address: string | undefined): Promise<string> {
    if (!this.areOpenTo(headers, address)) throw new ForbiddenError('Metrics are not open to you.');
    return register.metrics();
  }

  /** A proxy on this machine need not show that it is one, and production has one: there only the token opens. */
  private areOpenTo(headers: IncomingHttpHeaders, address = ''): boolean {
    const { METRICS_TOKEN, production } = this.settings;
    if (METRICS_TOKEN) return sameSecret(headers.authorization ?? '', `Bearer ${METRICS_TOKEN}`);
    return !production && isLoopback(address) && !isForwarded(headers) && isOwnName(headers.host);
  }
}

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

const isForwarded = (headers: IncomingHttpHeaders): boolean =>
  Object.keys(headers).some((name) =>
    /^(forwarded|via|x-forwarded-.*|x-real-ip|.*-client-ip|.*-connecting-ip)$/.test(name),
  );

/** A page elsewhere may give its own name this machine's address, and a proxy pass the name on that it was called. */
function isOwnName(host = ''): boolean {
  const url = `http://${host}`;
  if (!URL.canParse(url)) return false;
  const name = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return name === 'localhost' || isLoopback(name);
}
