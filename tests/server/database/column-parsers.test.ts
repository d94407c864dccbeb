import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { engines, freshDatabase } from '#support/database/test-database.ts'

describe.each(engines)('column parsers on $name', (engine) => {
  const database = freshDatabase(engine, 'bare')

  const evaluate = async (expression: string): Promise<unknown> => {
    const { rows } = await sql<{ value: unknown }>`select ${sql.raw(expression)} as value`.execute(database().db)
    return rows[0]?.value
  }

  it.each([
    ['9007199254740991::int8', 9007199254740991],
    ['(select count(*) from pg_class where false)', 0],
    ['array[1, null, -3]::int8[]', [1, null, -3]],
    [
      'array[array[1, 2], array[3, 4]]::int8[]',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['12.340::numeric', '12.340'],
    ['array[1.50, 2]::numeric[]', ['1.50', '2']],
    ["date '2027-02-28'", '2027-02-28'],
    ["array[date '2027-02-28', null]", ['2027-02-28', null]],
    ["timestamptz '2027-02-28 12:30:00.125+02'", new Date('2027-02-28T10:30:00.125Z')],
    ["timestamp '2027-02-28 12:30:00'", '2027-02-28 12:30:00'],
    ["'\\x00ff10'::bytea", Buffer.from([0, 255, 16])],
    [`'{"a": [1, "b", null]}'::jsonb`, { a: [1, 'b', null] }],
    ["array['a,b', 'c\"d', null]::text[]", ['a,b', 'c"d', null]],
    ['true', true],
    ["interval '1 day 02:00'", '1 day 02:00:00'],
  ])('the parsers read %s', async (expression, expected) => {
    expect(await evaluate(expression)).toEqual(expected)
  })

  it('int8 ids are numbers in JSON made by json_agg', async () => {
    expect(await evaluate(`(select json_agg(x) from (select 7::int8 as id) x)`)).toEqual([{ id: 7 }])
  })

  it('dates, bytes, booleans, arrays and stringified JSON are accepted as parameters', async () => {
    const at = new Date('2027-02-28T10:30:00.125Z')
    const { rows } = await sql`
      select ${at}::timestamptz as at, ${Buffer.from([1, 2])}::bytea as bytes, ${true}::bool as yes,
             ${['a', 'b']}::text[] as texts, ${[1, 2]}::int8[] as ids, ${JSON.stringify(['x'])}::jsonb as json`.execute(
      database().db,
    )
    expect(rows[0]).toEqual({ at, bytes: Buffer.from([1, 2]), yes: true, texts: ['a', 'b'], ids: [1, 2], json: ['x'] })
  })
})
