import {
  ValidatorConstraint,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';
import * as ipaddr from 'ipaddr.js';

const MIN_SECRET_BYTES = 32;

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

/** One or two secrets of at least 32 bytes: the first signs, both verify, so that a secret can rotate. */
@ValidatorConstraint()
export class SecretList implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return (
      isStrings(value) &&
      (value.length === 1 || value.length === 2) &&
      value.every((secret) => Buffer.byteLength(secret) >= MIN_SECRET_BYTES)
    );
  }

  defaultMessage({ property }: ValidationArguments): string {
    return `${property} must be one secret of at least ${MIN_SECRET_BYTES} bytes, or two separated by a comma`;
  }
}

@ValidatorConstraint()
export class CidrList implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return isStrings(value) && value.every((entry) => ipaddr.isValidCIDR(entry) || ipaddr.isValid(entry));
  }

  defaultMessage({ property }: ValidationArguments): string {
    return `${property} must be a comma-separated list of addresses or CIDR ranges`;
  }
}

@ValidatorConstraint()
export class OriginList implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return isStrings(value) && value.every((entry) => URL.canParse(entry) && new URL(entry).origin === entry);
  }

  defaultMessage({ property }: ValidationArguments): string {
    return `${property} must be a comma-separated list of origins such as https://example.org`;
  }
}
