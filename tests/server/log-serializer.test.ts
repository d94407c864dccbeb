import { spawnSync } from 'node:child_process'
import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { serializeError } from '#server/log-serializer.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'

/** The log line of a problem. */
const logLineOf = (problem: unknown): string => {
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

describe.each(enginesFor(import.meta.filename))('database errors in the log on $name', (engine) => {
  const database = freshDatabase(engine)
  const mail = 'ada@lovelace.test'

  const runFailing = async (statement: ReturnType<typeof sql>): Promise<unknown> =>
    await statement.execute(database().db).then(
      () => expect.unreachable('the statement should have failed'),
      (problem: unknown) => problem,
    )

  it.each([
    [
      'a row that violates a constraint',
      sql`insert into users (name, email, password_hash, role) values (${mail}, ${mail}, ${mail}, 'queen')`,
    ],
    ['a value of the wrong type', sql`select ${mail}::text::bigint`],
    ['a value of the wrong type with quotes in it', sql`select ${`x"${mail}`}::text::bigint`],
    ['an invalid date', sql`select ${mail}::text::timestamptz`],
    ['a value of several lines', sql`select ${`x\n${mail}`}::text::bigint`],
    ['invalid JSON', sql`select ${`{"a": ${mail}`}::text::jsonb`],
  ])('a logged error about %s contains where it happened but no values', async (_, statement) => {
    const problem = await runFailing(statement)
    const line = logLineOf(problem)
    expect(line).not.toContain('lovelace')
    expect(JSON.parse(line).err).toMatchObject({
      code: expect.stringMatching(/^2/),
      stack: expect.stringContaining('at '),
    })
  })

  it('the cause of a logged error contains no values either', async () => {
    const cause = await runFailing(sql`select ${mail}::text::bigint`)
    expect(logLineOf(new Error('the cart could not be read', { cause }))).not.toContain('lovelace')
  })
})

describe('errors in the log', () => {
  it('a logged error keeps its type, message, code and stack', () => {
    const logged = JSON.parse(logLineOf(new RangeError('too far', { cause: new Error('the disk is full') })))
    expect(logged.err).toMatchObject({ type: 'RangeError', message: 'too far', cause: { message: 'the disk is full' } })
    expect(logged.err.stack).toContain('log-serializer.test.ts')
  })

  it('a thrown value that is not an error is logged by its type only', () => {
    expect(JSON.parse(logLineOf('SPRING')).err).toEqual({ type: 'string' })
  })
})

/** The messages that a process logs to its standard output until it ends. */
const loggedBy = (work: string): string[] => {
  const module = new URL('../../src/server/log-serializer.ts', import.meta.url).href
  const script = `import { openLog } from ${JSON.stringify(module)}; const log = openLog({ logLevel: 'info' }); ${work}`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { msg: string }).msg) // a line of pino
}

describe('the log of the server', () => {
  it('has all lines of a process that exits', () => {
    expect(loggedBy(`log.info('first'); log.info('last'); process.exit(1)`)).toEqual(['first', 'last'])
  })

  it('has all lines of a process that ends by an error', () => {
    expect(loggedBy(`log.info('last'); throw new Error('unexpected')`)).toEqual(['last'])
  })

  it('has every warning and error of a process that is killed, and the lines before them', () => {
    const work = `log.info('before'); log.warn('warning'); log.error('error'); process.kill(process.pid, 'SIGKILL')`
    expect(loggedBy(work)).toEqual(['before', 'warning', 'error'])
  })
})
