import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { NotFoundError, ValidationError } from '#libs/errors';
import { MAX_ID } from './fields';

/** A record's id in a path: digits only (else 400); a number that no record can have is 404. */
@Injectable()
export class IdPath implements PipeTransform<unknown, number> {
  transform(value: unknown, { data = 'id' }: ArgumentMetadata): number {
    if (typeof value !== 'string' || !/^\d+$/.test(value))
      throw ValidationError.of(data, 'must be an integer');
    const id = Number(value);
    if (id < 1 || id > MAX_ID) throw new NotFoundError();
    return id;
  }
}
