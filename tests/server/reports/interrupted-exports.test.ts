import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { User } from '#server/access/tokens/access-token.ts'
import type { Deps } from '#server/deps.ts'
import { Problem } from '#server/http/problem.ts'
import { exportReport } from '#server/reports/export-report.ts'
import { studioDefinitions } from '#server/reports/report-definitions.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { reportClient } from './report-client.ts'
import { sellOrder } from './sell-order.ts'

/** Far more than all buffers between the database and the reader hold. */
const chargeCount = 60_000

/** One order with many charges. */
const createManyCharges = async (deps: Deps): Promise<number> => {
  const studioId = await given(deps).studio()
  await given(deps).feature(studioId, 'reports')
  const at = '2027-05-01T12:00:00Z'
  await sellOrder(deps, {
    job: await given(deps).job(studioId),
    placedAt: at,
    lines: [{ name: 'Retouch', cents: 100 }],
    movements: [{ kind: 'charge', cents: 100, at }],
  })
  await sql`
    insert into ledger (studio_id, order_id, kind, state, amount_cents, provider, provider_reference, created_at, settled_at)
    select studio_id, order_id, kind, state, amount_cents, provider, md5(n::text) || md5((-n)::text), created_at, settled_at
      from ledger, generate_series(2, ${chargeCount}::int) n`.execute(deps.db)
  return studioId
}

/** An export of all payments of a studio. */
const paymentsExport = (studioId: number, user: User) => ({
  ...{ definition: studioDefinitions.payments, report: 'payments', title: 'Payments', owner: 'Riverside', user },
  ...{ columns: undefined, format: undefined },
  scope: {
    ...{ studioId, jobId: null, startDay: null, endDay: null, timeZone: null, filter: null },
    now: new Date('2027-06-01T00:00:00Z'),
  },
})

const readAll = async (body: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
  while (!(await body.read()).done);
}

describe.each(enginesFor(import.meta.filename))('interrupted exports on $name', { timeout: 240_000 }, (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const errors: unknown[] = []
    const log = { info: () => {}, warn: () => {}, error: (entry: { err?: unknown }) => void errors.push(entry.err) }
    const deps = { ...testDeps(database()), log }
    const app: FastifyInstance = await testApp(deps)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const studioId = await createManyCharges(deps)
    const { id, headersFor, exportCsv } = await reportClient(deps, app, studioId)
    const { port } = app.server.address() as AddressInfo // a TCP server has an address with a port
    const startExport = async (format: string) => {
      const response = await fetch(
        `http://127.0.0.1:${port}/api/studioadmin/studios/${studioId}/reports/payments/export`,
        {
          method: 'POST',
          headers: { ...(await headersFor()), 'content-type': 'application/json' },
          body: JSON.stringify({ format }),
        },
      )
      const body = response.body?.getReader()
      if (!body) throw new Error('the response has no body')
      await body.read()
      return body
    }
    /** Makes the next read of rows fail, as when the connection to the database breaks. */
    const breakCursor = async () => {
      if (deps.engine === 'embedded') await sql`close all`.execute(deps.db)
      else
        await sql`select pg_terminate_backend(pid) from pg_stat_activity
                   where datname = current_database() and query like 'fetch%'`.execute(deps.db)
    }
    const user: User = { id, studioId, name: 'Sam', email: 'sam@riverside.test', permissions: [] }
    return { deps, errors, studioId, user, startExport, breakCursor, exportCsv }
  }

  it.each(['csv', 'xlsx'])(
    'a %s that fails in the middle is cut off, so that no part of it looks complete, and later exports work',
    async (format) => {
      const { errors, startExport, breakCursor, exportCsv } = await setUp()
      // As many as may run at once: if one of them did not end, the last export would not begin.
      for (let failures = 1; failures <= 2; failures += 1) {
        const body = await startExport(format)
        await breakCursor()
        await expect(readAll(body)).rejects.toThrow()
        await expect.poll(() => errors).toHaveLength(failures)
      }
      expect(await exportCsv('payments', { startDate: '06/01/2027' })).toHaveLength(2)
    },
  )

  it('an export whose reader leaves ends, and frees its place for others', async () => {
    const { startExport, exportCsv, errors } = await setUp()
    for (let readers = 0; readers < 3; readers += 1) await (await startExport('csv')).cancel()
    expect(await exportCsv('payments', { startDate: '06/01/2027' })).toHaveLength(2)
    expect(errors).toEqual([])
  })

  it('an export whose reader leaves before the first byte ends, and frees its place for others', async () => {
    const { deps, studioId, user, exportCsv, errors } = await setUp()
    for (let readers = 0; readers < 3; readers += 1) {
      const file = await exportReport(deps, paymentsExport(studioId, user))
      if (file instanceof Problem) throw new Error(`export ${readers} was refused`)
      file.body.destroy()
    }
    expect(await exportCsv('payments', { startDate: '06/01/2027' })).toHaveLength(2)
    expect(errors).toEqual([])
  })

  it('an export that cannot be recorded in the audit log leaves no transaction and no cursor open', async () => {
    const { deps, studioId, user } = await setUp()
    const clock = (): Date => {
      throw new Error('the clock has stopped')
    }
    await expect(exportReport({ ...deps, clock }, paymentsExport(studioId, user))).rejects.toThrow(
      'the clock has stopped',
    )
    const { rows } = await sql<{ open: number }>`
      select (select count(*) from pg_cursors where name like 'report%')
           + (select count(*) from pg_stat_activity
               where datname = current_database() and state like 'idle in transaction%') as open`.execute(deps.db)
    expect(rows).toEqual([{ open: 0 }])
  })

  it('rows that change during an export are in the file as they were when it began', async () => {
    const { deps, startExport } = await setUp()
    const body = await startExport('csv')
    const isLast = sql<boolean>`id > ${chargeCount - 100}`
    await deps.db.updateTable('ledger').set({ amount_cents: 1 }).where(isLast).execute()
    await deps.db.deleteFrom('ledger').where(isLast).where('amount_cents', '=', 1).execute()
    let text = ''
    const decoder = new TextDecoder()
    for (let chunk = await body.read(); !chunk.done; chunk = await body.read())
      text += decoder.decode(chunk.value, { stream: true })
    expect(text.trimEnd().split('\r\n').at(-1)).toBe(`Total,,,${chargeCount}.00,,,,${chargeCount}.00,0.00,0.00,0.00,,,`)
  })
})
