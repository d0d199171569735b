import { Transform, type TransformFnParams } from 'class-transformer';
import { IsEmail, IsIn, IsInt, IsOptional, IsUrl, Matches, Max, Min, Validate } from 'class-validator';
import { CidrList, OriginList, SecretList } from './rules';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const URL_RULE = { require_tld: false, require_protocol: true };
const list = ({ value }: TransformFnParams): unknown =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean)
    : value;
const integer = ({ value }: TransformFnParams): unknown =>
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
const onOff = ({ value }: TransformFnParams): unknown =>
  value === 'on' ? true : value === 'off' ? false : value;
const ON_OFF = { message: '$property must be on or off' };

/** Every setting, named as in the environment. The table in README.md explains each one. */
export class Settings {
  NODE_ENV = 'development';

  @Transform(integer)
  @IsInt()
  @Min(0)
  @Max(65535)
  PORT = 3000;

  @Matches(/^\S+$/)
  HOST = '127.0.0.1';

  /** Without it an embedded PostgreSQL runs under DATA_DIR. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/\S+$/, { message: '$property must be a postgres:// URL' })
  DATABASE_URL?: string;

  /** Without it the queues live in PostgreSQL. */
  @IsOptional()
  @Matches(/^rediss?:\/\/\S+$/, { message: '$property must be a redis:// URL' })
  REDIS_URL?: string;

  DATA_DIR = './data';

  @IsUrl({ ...URL_RULE, protocols: ['http', 'https'] })
  PUBLIC_URL!: string;

  @Transform(list)
  @Validate(SecretList)
  JWT_SECRET!: string[];

  @Transform(list)
  @Validate(SecretList)
  SERVICE_SECRET!: string[];

  @Transform(list)
  @Validate(SecretList)
  COOKIE_SECRET!: string[];

  @Transform(list)
  @Validate(SecretList)
  ENCRYPTION_KEY!: string[];

  /** Without it mail is written to DATA_DIR/mail as .eml files. */
  @IsOptional()
  @Matches(/^smtps?:\/\/\S+$/, { message: '$property must be an smtp:// or smtps:// URL' })
  SMTP_URL?: string;

  @IsEmail({ allow_display_name: true, require_tld: false })
  MAIL_FROM = 'Community <no-reply@localhost.localdomain>';

  /** `inline` runs the queue processors in the API process. */
  @IsIn(['inline', 'off'])
  WORKER!: 'inline' | 'off';

  @Transform(onOff)
  @IsIn([true, false], ON_OFF)
  RATE_LIMITS = true;

  @IsIn(LOG_LEVELS)
  LOG_LEVEL = 'info';

  @Matches(/^[a-z0-9-]+$/i)
  TOKEN_HEADER_NAME = 'token';

  @Transform(list)
  @Validate(OriginList)
  CORS_ORIGINS: string[] = [];

  /** Proxies whose X-Forwarded-For is believed. */
  @Transform(list)
  @Validate(CidrList)
  TRUST_PROXY: string[] = [];

  /** Addresses without a request rate, such as one's own rendering servers. */
  @Transform(list)
  @Validate(CidrList)
  RATE_LIMIT_EXEMPT: string[] = [];

  /** Requests get 503 while the event loop is later than this in the mean of a second; 0 never refuses. */
  @Transform(integer)
  @IsInt()
  @Min(0)
  MAX_EVENT_LOOP_DELAY_MS = 500;

  /** How long requests may be at work in the mean before fewer are let in; 0 lets in as many however long it takes. */
  @Transform(integer)
  @IsInt()
  @Min(0)
  MAX_TIME_AT_WORK_MS = 400;

  /** Bodies of requests that are held at once, in MiB; beyond that they get 503. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  MAX_BODIES_MIB = 64;

  /** Answers that are held at once until their readers have taken them, in MiB; beyond that large ones are 503. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  MAX_ANSWERS_MIB = 128;

  /** Requests get 503, all but a few, while the process has more memory than this in MiB. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  MAX_RSS_MIB = 600;

  /** What an answer with the contents of collections has at most, in MiB; beyond that it has fewer items. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  MAX_COLLECTIONS_MIB = 16;

  /** How long a client may send or take nothing while others need its room. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  STALLED_AFTER_MS = 5000;

  /** How long a request may take from the end of its body; then it gets 503, and its work is left. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  REQUEST_DEADLINE_MS = 15_000;

  /** Connections of one address at a time; 0 does not count. */
  @Transform(integer)
  @IsInt()
  @Min(0)
  MAX_CONNECTIONS_PER_ADDRESS = 100;

  /** How long an API that is told to end still serves, so that load balancers notice. */
  @Transform(integer)
  @IsInt()
  @Min(0)
  @Max(60_000)
  SHUTDOWN_DELAY_MS!: number;

  @Transform(list)
  FETCH_ALLOW: string[] = [];

  /** Makes platform 1 with sample people and content in a new embedded database. */
  @Transform(onOff)
  @IsIn([true, false], ON_OFF)
  DEMO!: boolean;

  /** Bearer token for /metrics; without it only this machine may read them, and in production nobody. */
  @IsOptional()
  @Matches(/^\S{16,}$/, { message: '$property must have at least 16 characters' })
  METRICS_TOKEN?: string;

  get production(): boolean {
    return this.NODE_ENV === 'production';
  }

  get embedded(): boolean {
    return this.DATABASE_URL === undefined;
  }

  get inlineWorker(): boolean {
    return this.WORKER === 'inline';
  }
}
