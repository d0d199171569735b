import { Body, Controller, Get, Header, Param, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  IdPath,
  IsArticle,
  IsColor,
  IsCursor,
  IsEmailAddress,
  IsFilters,
  IsIdText,
  IsInstant,
  IsOrigins,
  IsPublicUrl,
  IsSearchTerm,
  IsSlug,
  IsSort,
  IsText,
  IsTexts,
  IsTitle,
  IsWebUrl,
  validated,
} from '#libs/http';
import { growthOf } from '#libs/testing';
import { escapeHtml, plainText } from '#libs/markup';
import { emailKey, likePattern, searchKey, slugify } from '#libs/text';
import { instant } from '#libs/time';
import { containsWords } from '#libs/database';
import { matches, titleOf } from '../../src/search/search-words';
import { localeOf } from '../../src/kernel/mail/letters/locales';
import { BUNDLED_WORDS } from '../../src/moderation/bundled-words';
import { domainOf, linksOf } from '../../src/moderation/links';
import { textKey } from '../../src/moderation/same-text';
import { WordList } from '../../src/moderation/word-list';
import { normalised } from '../../src/moderation/words';
import { IsHomepage } from '../../src/platforms/dto/is-homepage';
import { homepageKey, homepageLink, homepageOrigin } from '../../src/kernel/origins/homepage';
import { normalizeEmoji } from '../../src/reactions/emoji';
import { bareApp } from '../support/bare-app';

/** What texts are made of to hurt those who read them. */
const PIECES = {
  'one letter': 'a',
  digits: '0',
  spaces: ' ',
  lines: '\n',
  'lines and spaces': ' \n',
  slashes: '/',
  backslashes: '\\',
  dots: '.',
  dashes: '-',
  commas: ',',
  'commas and spaces': ', ',
  colons: ':',
  semicolons: ';',
  weights: ';q=',
  percent: '%',
  'escaped percent': '%25',
  quotes: '"',
  'single quotes': "'",
  signs: '*',
  brackets: '<',
  'brackets of arrays': '[',
  'names of objects': '{"a":',
  'opened tags': '<a ',
  'unclosed blocks': '<p',
  'unclosed addresses': '<a href="',
  comments: '<!--',
  ampersands: '&',
  entities: '&amp',
  parameters: '&a=',
  addresses: 'a@',
  'words of addresses': 'a@b.c,',
  schemes: 'http://',
  'many links': 'http://a.b ',
  hosts: 'a.',
  'hosts in other scripts': 'é.',
  'groups of addresses': '0:',
  tags: 'W/"a", ',
  words: 'ordinary words of a text ',
  'beginnings of phrases': 'two girls one piece of ',
  'signs for letters': '1!|@$',
  'signs in words': 'a1!l',
  'marks out of order': 'a\u0301\u0327',
  'marks only': '\u0301\u0327',
  'marks made by normalising': '\uff9e\u0301',
  'what normalises to many': '\ufdfa',
  'what normalises to several': '\u3316',
  'what normalises to several, with letters': '\u3316a',
  'nothing to be seen': '\u200b',
  'look-alikes': 'аa1',
  emoji: '🖕',
  'variation selectors': '\ufe0f',
};

const OWN_WORDS = new WordList(Array.from({ length: 20 }, (_, index) => `${'a '.repeat(index)}b`));

type Parser = (text: string) => unknown;

/** A field of a request as these decorators have it. */
function field(...decorators: PropertyDecorator[]): Parser {
  class Dto {
    value!: unknown;
  }
  for (const decorate of decorators) decorate(Dto.prototype, 'value');
  return (value) => validated(Dto, { value }).catch(() => undefined);
}

const list =
  (...decorators: PropertyDecorator[]): Parser =>
  (text) =>
    field(...decorators)([text] as unknown as string);

/** What is made of a field once it is known to be good. */
const made =
  (check: Parser, make: (text: string) => unknown): Parser =>
  async (text) => {
    const dto = (await check(text)) as { value: string } | undefined;
    return dto && make(dto.value);
  };

/** Refusing is an answer too. */
const attempt =
  (parse: Parser): Parser =>
  (text) => {
    try {
      return parse(text);
    } catch {
      return undefined;
    }
  };

const url =
  (urlOf: (text: string) => string): Parser =>
  (text) =>
    app.inject({ url: urlOf(text) }).catch(() => undefined);

const body =
  (bodyOf: (text: string) => string): Parser =>
  (text) =>
    app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/json' },
      payload: bodyOf(text),
    });

const header =
  (name: string, before = ''): Parser =>
  (text) =>
    app.inject({ url: '/', headers: { [name]: before + text } });

const PARSERS: Record<string, Parser> = {
  'a name': field(IsTitle(1, 100)),
  'a text': field(IsText(1000)),
  'an article': field(IsArticle()),
  'a slug': field(IsSlug()),
  'an id': field(IsIdText()),
  'an e-mail address': field(IsEmailAddress()),
  'a web address': field(IsWebUrl()),
  'a public address': field(IsPublicUrl()),
  'a homepage': field(IsHomepage()),
  'a colour': field(IsColor()),
  'a date': field(IsInstant()),
  'a day and more': (text) => field(IsInstant())(`2026-01-01T${text}`),
  'a sort': field(IsSort('id', 'name')),
  'a search term': field(IsSearchTerm()),
  'a cursor': field(IsCursor()),
  filters: field(IsFilters({ name: 'text', id: 'id' })),
  'filters after a name': (text) => field(IsFilters({ name: 'text', id: 'id' }))(`name:${text}`),
  'filters as JSON': (text) => field(IsFilters({ name: 'text', id: 'id' }))(`{${text}`),
  origins: list(IsOrigins()),
  texts: list(IsTexts(10, 100)),
  'an id in a path': attempt((text) => new IdPath().transform(text, { type: 'param' })),
  instant: attempt((text) => instant(text, 'Europe/Lisbon', 'date')),
  'instant of a day': attempt((text) => instant(`2026-01-01T${text}`, 'Europe/Lisbon', 'date')),
  searchKey,
  'the key of an e-mail address': made(field(IsEmailAddress()), emailKey),
  likePattern,
  'the slug of a title': made(field(IsTitle(1, 300)), (title) => slugify(title, 80)),
  escapeHtml,
  plainText,
  'words in a list': (text) => containsWords(titleOf('c').key, text),
  'words of a search': (text) => matches(searchKey(text))(titleOf('c')),
  homepageKey,
  'homepageKey of a path': (text) => homepageKey(`a.test/${text}`),
  homepageLink,
  homepageOrigin,
  'homepageOrigin of a host': (text) => homepageOrigin(`a${text}`),
  localeOf,
  normalizeEmoji,
  domainOf,
  moderation: (text) => {
    const normal = normalised(text);
    BUNDLED_WORDS.matches(normal);
    OWN_WORDS.matches(normal);
    linksOf(text, normal);
    textKey(normal);
  },
  'the path': url((text) => `/${text}`),
  'the path, escaped': url((text) => `/${encodeURIComponent(text)}`),
  'a parameter of a path': url((text) => `/rest/${text}`),
  'the query': url((text) => `/?${text}`),
  'the query, escaped': url((text) => `/?a=${encodeURIComponent(text)}`),
  'a body': body((text) => text),
  'a body of one text': body((text) => JSON.stringify({ text })),
  Accept: header('accept'),
  'Accept-Encoding': header('accept-encoding'),
  'Accept-Encoding after gzip': header('accept-encoding', 'gzip'),
  'Accept-Language': header('accept-language'),
  Authorization: header('authorization'),
  Cookie: header('cookie'),
  'a signed cookie': header('cookie', 'token='),
  'Content-Type': header('content-type'),
  'If-None-Match': header('if-none-match'),
  'If-None-Match of several': header('if-none-match', 'W/"a",'),
  Origin: header('origin'),
  'X-Forwarded-For': header('x-forwarded-for'),
  'X-Request-Id': header('x-request-id'),
};

@Controller()
class Echo {
  /** Long enough to be compressed. */
  @Get()
  @Header('etag', '"a tag"')
  read(): object {
    return { text: 'x'.repeat(2000) };
  }

  @Post()
  take(@Body() sent: object): object {
    return { keys: Object.keys(sent).length };
  }

  @Get('rest/*')
  readRest(@Param('*') rest: string): object {
    return { length: rest.length };
  }
}

let app: NestFastifyApplication;

beforeAll(async () => {
  app = await bareApp(Echo, { TRUST_PROXY: '127.0.0.1' });
  await app.init();
});
afterAll(() => app.close());

describe('what clients write is read in linear time', () => {
  it.each(Object.entries(PARSERS))('%s', async (_name, parse) => {
    const slow: string[] = [];
    for (const [name, piece] of Object.entries(PIECES)) {
      const { once, eightfold, most } = await growthOf(parse, piece);
      if (eightfold > most) slow.push(`${name}: ${once.toFixed(1)} ms, eightfold ${eightfold.toFixed(1)} ms`);
    }
    expect(slow).toEqual([]);
  });
});
