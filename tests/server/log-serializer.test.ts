import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { serializeError } from '#server/log-serializer.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'

/** One line of the server's log about a problem. */
const lineAbout = (problem: unknown): string => {
  let line = ''
  const log = pino(
    { serializers: { err: serializeError } },
    {
      write: (text: string) => {
        line += text
      },
    },
  )
  log.error({ err: problem }, 'a request failed')
  return line
}

describe.each(enginesFor(import.meta.filename))('an error of the database in the log, on $name', (engine) => {
  const database = freshDatabase(engine)
  const mail = 'ada@lovelace.test'

  const failed = async (statement: ReturnType<typeof sql>): Promise<unknown> =>
    await statement.execute(database().db).then(
      () => expect.unreachable('the statement was to fail'),
      (problem: unknown) => problem,
    )

  it.each([
    [
      'a row that breaks a rule',
      sql`insert into users (name, email, password_hash, role) values (${mail}, ${mail}, ${mail}, 'queen')`,
    ],
    ['a value that is not of the type', sql`select ${mail}::text::bigint`],
    ['a value that is not of the type, with quotes in it', sql`select ${`x"${mail}`}::text::bigint`],
    ['a date that is none', sql`select ${mail}::text::timestamptz`],
    ['a value of several lines', sql`select ${`x\n${mail}`}::text::bigint`],
    ['JSON that is none', sql`select ${`{"a": ${mail}`}::text::jsonb`],
  ])('says nothing of %s but where it happened', async (_, statement) => {
    const problem = await failed(statement)
    const line = lineAbout(problem)
    expect(line).not.toContain('lovelace')
    expect(JSON.parse(line).err).toMatchObject({
      code: expect.stringMatching(/^2/),
      stack: expect.stringContaining('at '),
    })
  })

  it('says as little of what caused it', async () => {
    const cause = await failed(sql`select ${mail}::text::bigint`)
    expect(lineAbout(new Error('the cart could not be read', { cause }))).not.toContain('lovelace')
  })
})

describe('an error in the log', () => {
  it('keeps what whoever mends it needs', () => {
    const logged = JSON.parse(lineAbout(new RangeError('too far', { cause: new Error('the disk is full') })))
    expect(logged.err).toMatchObject({ type: 'RangeError', message: 'too far', cause: { message: 'the disk is full' } })
    expect(logged.err.stack).toContain('error-in-log.test.ts')
  })

  it('is not what was thrown instead of one', () => {
    expect(JSON.parse(lineAbout('SPRING')).err).toEqual({ type: 'string' })
  })
})
