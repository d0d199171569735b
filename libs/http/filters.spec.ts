import { ValidationError } from '#libs/errors';
import { IsOmittable } from './fields';
import { type Filters, IsFilters } from './filters';
import { RequestPipe } from './validation.pipe';

const KINDS = {
  mine: 'boolean',
  GroupId: 'id',
  visibility: ['public', 'members'],
  published: ['true', 'false', 'all'],
  label: 'text',
  from: 'instant',
} as const;

class ListQuery {
  @IsOmittable()
  @IsFilters(KINDS)
  filters?: Filters<typeof KINDS>;
}

const read = async (filters: unknown): Promise<unknown> => {
  const query = await new RequestPipe().transform({ filters }, { type: 'query', metatype: ListQuery });
  return (query as ListQuery).filters;
};

describe('IsFilters', () => {
  it.each([
    ['mine:true', { mine: true }],
    ['mine:false,visibility:public', { mine: false, visibility: 'public' }],
    [' GroupId : 7 , mine : true ', { GroupId: 7, mine: true }],
    ['{"mine":true,"GroupId":7}', { mine: true, GroupId: 7 }],
    [
      '{"mine":"false","GroupId":"7","visibility":"members"}',
      { mine: false, GroupId: 7, visibility: 'members' },
    ],
    ['published:false', { published: 'false' }],
    ['{"published":true}', { published: 'true' }],
    ['{"published":"all"}', { published: 'all' }],
    ['label: Of: two ,mine:true', { label: 'Of: two', mine: true }],
    [`{"label":"a, b' or 1=1"}`, { label: `a, b' or 1=1` }],
    ['from:2026-02-03T18:20:11.000Z,mine:true', { from: '2026-02-03T18:20:11.000Z', mine: true }],
    ['{"from":"2026-02-03"}', { from: '2026-02-03' }],
    ['{}', {}],
    ['', {}],
    [undefined, undefined],
  ])('reads %j', async (text, filters) => {
    expect(await read(text)).toEqual(filters);
  });

  it.each([
    ['unknown:1', 'filters must be of mine, GroupId, visibility, published, label, from'],
    ['{"__proto__":{"mine":true}}', 'filters must be of mine, GroupId, visibility, published, label, from'],
    ['constructor:1', 'filters must be of mine, GroupId, visibility, published, label, from'],
    ['mine', 'filters: mine must be true or false'],
    ['mine:', 'filters: mine must be true or false'],
    ['mine:1', 'filters: mine must be true or false'],
    ['{"mine":1}', 'filters: mine must be true or false'],
    ['{"mine":null}', 'filters: mine must be true or false'],
    ['mine:true,mine:false', 'filters names mine twice'],
    ['GroupId:0', 'filters: GroupId must be an id'],
    ['GroupId:1.5', 'filters: GroupId must be an id'],
    ['GroupId:2147483648', 'filters: GroupId must be an id'],
    ['{"GroupId":1.5}', 'filters: GroupId must be an id'],
    ['visibility:secret', 'filters: visibility must be one of public, members'],
    ['{"visibility":true}', 'filters: visibility must be one of public, members'],
    ['{"published":1}', 'filters: published must be one of true, false, all'],
    ['{"visibility":["public"]}', 'filters: visibility must be one of public, members'],
    [`visibility:public' or '1'='1`, 'filters: visibility must be one of public, members'],
    ['{"label":7}', 'filters: label must be a text of at most 200 characters'],
    ['{"label":"\\u0000"}', 'filters: label must be a text of at most 200 characters'],
    ['{"label":"\\ud800"}', 'filters: label must be a text of at most 200 characters'],
    [`label:${'x'.repeat(201)}`, 'filters: label must be a text of at most 200 characters'],
    ['from:2026-02-30', 'filters: from must be an ISO 8601 date-time'],
    ['from:yesterday', 'filters: from must be an ISO 8601 date-time'],
    ['{"from":20260203}', 'filters: from must be an ISO 8601 date-time'],
    ['{"mine":true', 'filters must be a JSON object or field:value pairs'],
    ['mine:true,', 'filters must be of mine, GroupId, visibility, published, label, from'],
    [['mine:true', 'mine:true'], 'filters must be one text'],
    [null, 'filters must be one text'],
  ])('refuses %j', async (text, issue) => {
    const refusal = await read(text).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ValidationError);
    expect((refusal as ValidationError).details).toEqual([{ field: 'filters', issue }]);
  });
});
