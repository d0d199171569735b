import { applyDecorators } from '@nestjs/common';
import { IsUrl, MaxLength, ValidateBy } from 'class-validator';
import { homepageKey } from '../../kernel/origins/homepage';

const message = '$property must be a web address';

/** A web address with or without its scheme, to which a path can be added. */
export const IsHomepage = (): PropertyDecorator =>
  applyDecorators(
    MaxLength(2048),
    IsUrl(
      {
        protocols: ['http', 'https'],
        require_tld: false,
        disallow_auth: true,
        allow_fragments: false,
        allow_query_components: false,
      },
      { message },
    ),
    // What that takes for a host may be none by the URL standard.
    ValidateBy({
      name: 'isHomepage',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && homepageKey(value) !== null,
        defaultMessage: () => message,
      },
    }),
  );
