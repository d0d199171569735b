import { Controller, Get, Header, Req } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Access, Refuses } from '#libs/http';
import type { LiveDto, ReadyDto, VersionDto } from './dto/health.dto';
import { HealthService } from './health.service';
import { MetricsService } from './metrics.service';

@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly metricsService: MetricsService,
  ) {}

  /**
   * Tell whether the process lives
   * @remarks For an orchestrator: when this does not answer, restart the process. It asks no other system.
   */
  @Get('health/live')
  @Access.public({ unmetered: true })
  live(): LiveDto {
    return this.health.live();
  }

  /**
   * Tell whether the process can serve
   * @remarks For a load balancer: 503 while the database is away, and when the process starts or is about to end.
   */
  @Get('health/ready')
  @Access.public({ unmetered: true })
  @Refuses({ 503: 'The database is away, or the process starts or is about to end.' })
  ready(): Promise<ReadyDto> {
    return this.health.ready();
  }

  /**
   * Tell the version
   * @remarks The version of the interface and of the service that answers.
   */
  @Get('api/version')
  @Access.public()
  version(): VersionDto {
    return this.health.version();
  }

  /** For Prometheus: with METRICS_TOKEN as bearer token, or outside production from this machine itself. */
  @Get('metrics')
  @Access.public({ unmetered: true })
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  @ApiExcludeEndpoint()
  metrics(@Req() request: FastifyRequest): Promise<string> {
    return this.metricsService.read(request.headers, request.socket.remoteAddress);
  }
}
