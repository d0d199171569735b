import { ValidationError } from '#libs/errors';
import { instant } from './instant';
import { instants, refuseReversed, refuseReversedDates, runningTime } from './running-time';

describe('instant', () => {
  it.each([
    ['2026-07-01T12:00:00', 'Europe/Berlin', '2026-07-01T10:00:00.000Z'],
    ['2026-01-01T12:00:00', 'Europe/Berlin', '2026-01-01T11:00:00.000Z'],
    ['2026-01-01', 'Pacific/Auckland', '2025-12-31T11:00:00.000Z'],
    ['2026-01-01T12:00:00.123+05:30', 'Europe/Berlin', '2026-01-01T06:30:00.123Z'],
    ['2024-02-29', 'UTC', '2024-02-29T00:00:00.000Z'],
    ['2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T02:30:00+01:00', 'Europe/Berlin', '2026-10-25T01:30:00.000Z'],
    ['2026-11-01T01:30:00', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['2026-04-05T02:30:00', 'Australia/Sydney', '2026-04-04T15:30:00.000Z'],
  ])('%s in %s is %s', (text, zone, expected) => {
    expect(instant(text, zone, 'at').toISOString()).toBe(expected);
  });

  it.each([
    '2026-02-30',
    '2025-02-29',
    '2026-04-31T00:00:00Z',
    '2026-01-01T25:00',
    '9999-12-31T23:59:59-01:00',
    'nonsense',
    '',
  ])('refuses %j', (text) => {
    expect(() => instant(text, 'UTC', 'at')).toThrow(ValidationError);
  });

  it('takes the last instant that has a year of four digits', () => {
    const last = '9999-12-31T23:59:59.999Z';
    expect(instant(last, 'UTC', 'at').toISOString()).toBe(last);
  });
});

describe('times by other names', () => {
  const fields = ['startDate', 'endDate'] as const;

  it('are read and refused under their names', () => {
    const sent = instants({ startDate: '2026-01-02', endDate: '2026-01-01T23:59:59.999Z' }, 'UTC', fields);
    expect(sent).toEqual({
      startDate: new Date('2026-01-02T00:00:00Z'),
      endDate: new Date('2026-01-01T23:59:59.999Z'),
    });
    expect(() => refuseReversed(sent, {}, fields)).toThrow(
      expect.objectContaining({ details: [{ field: 'endDate', issue: 'must not be before startDate' }] }),
    );
    expect(() => instants({ endDate: 'never' }, 'UTC', fields)).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ field: 'endDate' })] }),
    );
  });
});

describe('running time', () => {
  const [early, late] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-02T00:00:00Z')];

  it('keeps apart what was not sent and what is cleared', () => {
    expect(runningTime({ publishedDate: null }, 'UTC')).toEqual({
      publishedDate: null,
      expireDate: undefined,
    });
    expect(runningTime({ expireDate: '2026-01-02' }, 'UTC')).toEqual({
      publishedDate: undefined,
      expireDate: late,
    });
  });

  it.each([
    [{ publishedDate: late, expireDate: early }, {}, true],
    [{ publishedDate: late, expireDate: late }, {}, false],
    [{ publishedDate: early, expireDate: late }, {}, false],
    [{ expireDate: early }, { publishedDate: late }, true],
    [{ publishedDate: late }, { expireDate: early }, true],
    [{ publishedDate: null, expireDate: early }, { publishedDate: late }, false],
    [{ publishedDate: late, expireDate: null }, { expireDate: early }, false],
    [{}, { publishedDate: late, expireDate: late }, false],
  ])('%j after %j refuses: %s', (sent, before, refuses) => {
    let refused = false;
    try {
      refuseReversedDates(sent, before);
    } catch (error) {
      refused = error instanceof ValidationError;
    }
    expect(refused).toBe(refuses);
  });
});
