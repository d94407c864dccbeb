import { describe, expect, it } from 'vitest'
import { purgeExpiredData } from '#server/workers.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testDeps } from '#support/server/test-app.ts'

describe.each(enginesFor(import.meta.filename))('purging logs on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (days: readonly string[]) => {
    const deps = testDeps(database(), manualClock('2027-04-15T10:00:00.000Z'))
    const rows = days.map((day) => ({ request: '{}', created_at: day }))
    await deps.db.insertInto('tax_log').values(rows).execute()
    const remainingDates = async () => {
      const entries = await deps.db.selectFrom('tax_log').select('created_at').orderBy('created_at').execute()
      return entries.map((row) => row.created_at.toISOString())
    }
    return { deps, remainingDates }
  }

  it('entries of the tax log are stored for thirteen months and then purged at night', async () => {
    const { deps, remainingDates } = await setUp([
      '2025-01-01T00:00:00.000Z',
      '2026-03-15T09:59:59.999Z',
      '2026-03-15T10:00:00.000Z',
      '2027-04-15T09:00:00.000Z',
    ])
    await purgeExpiredData(deps, undefined)
    expect(await remainingDates()).toEqual(['2026-03-15T10:00:00.000Z', '2027-04-15T09:00:00.000Z'])
    await purgeExpiredData(deps, undefined)
    expect(await remainingDates()).toHaveLength(2)
  })

  it('all old entries of the tax log are purged, even if there is more than one batch', async () => {
    const { deps, remainingDates } = await setUp(Array.from({ length: 2100 }, () => '2025-01-01T00:00:00.000Z'))
    await purgeExpiredData(deps, undefined)
    expect(await remainingDates()).toEqual([])
  })

  it('logged emails are stored for 13 months, and their texts and recipients for 90 days', async () => {
    const { deps } = await setUp(['2027-04-15T09:00:00.000Z'])
    const days = ['2026-03-15T09:59:59.999Z', '2026-03-15T10:00:00.000Z', '2027-01-15T10:00:00.000Z']
    const rows = days.map((day) => ({
      ...{ kind: 'receipt', to_email: 'parent@example.com', subject: 'Your order', body_text: 'Prints of Ada' },
      created_at: day,
    }))
    await deps.db.insertInto('mail_log').values(rows).execute()
    await purgeExpiredData(deps, undefined)
    const columns = ['created_at', 'to_email', 'subject', 'body_text'] as const
    const mails = await deps.db.selectFrom('mail_log').select(columns).orderBy('created_at').execute()
    expect(mails).toEqual([
      { created_at: new Date(days[1] ?? ''), to_email: '…@example.com', subject: '', body_text: '' },
      {
        created_at: new Date(days[2] ?? ''),
        to_email: 'parent@example.com',
        subject: 'Your order',
        body_text: 'Prints of Ada',
      },
    ])
  })
})
