import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { purgeAuditLog, sealAuditLog, verifyAuditLog } from '#server/audit/audit-chain.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { inTransaction } from '#server/database/database.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testDeps } from '#support/server/test-app.ts'

describe.each(enginesFor(import.meta.filename))('the chain of the audit log on $name', (engine) => {
  const database = freshDatabase(engine)

  /** Sealed entries of the given days. */
  const setUp = async (days: readonly string[]) => {
    const deps = testDeps(database(), manualClock('2027-04-15T10:00:00.000Z'))
    const entry = { studioId: null, action: 'workflow.changed', entityId: '1' } as const
    for (const day of days) {
      const at = { clock: () => new Date(day) }
      await inTransaction(deps.db, (tx) =>
        recordAudit(tx, at, { ...entry, detail: { name: 'Sports', after: { day } } }),
      )
    }
    await sealAuditLog(deps)
    /** Changes rows as someone who can switch the trigger off. */
    const tamper = (statement: ReturnType<typeof sql>) =>
      inTransaction(deps.db, async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        await statement.execute(tx)
      })
    return { deps, tamper }
  }
  const fourDays = ['2027-04-01', '2027-04-02', '2027-04-03', '2027-04-04']

  it('is complete after entries were written at once and sealed by two servers at once', async () => {
    const { deps } = await setUp([])
    const write = (index: number) =>
      inTransaction(deps.db, (tx) =>
        recordAudit(tx, deps, { studioId: null, action: 'tag.made', entityId: String(index), detail: {} }),
      )
    await Promise.all(Array.from({ length: 1100 }, (_, index) => write(index)))
    expect(await verifyAuditLog(deps)).toMatchObject({ sealed: 0, unsealed: 1100, findings: [] })
    await Promise.all([sealAuditLog(deps), sealAuditLog(deps)])
    const verified = await verifyAuditLog(deps)
    expect(verified).toMatchObject({ sealed: 1100, unsealed: 0, last: { position: 1100 }, findings: [] })
    expect(verified.last.hash).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each([
    [
      'a changed detail',
      sql`update audit_log set detail = '{}' where position = 2`,
      [{ position: 2, problem: 'changed' }],
    ],
    ['a changed user', sql`update audit_log set user_id = 7 where position = 3`, [{ position: 3, problem: 'changed' }]],
    ['a removed entry', sql`delete from audit_log where position = 2`, [{ position: 3, problem: 'missing' }]],
    ['a removed first entry', sql`delete from audit_log where position = 1`, [{ position: 2, problem: 'missing' }]],
    ['a removed last entry', sql`delete from audit_log where position = 4`, [{ position: 4, problem: 'missing' }]],
    [
      'two entries with swapped contents',
      sql`update audit_log a set detail = b.detail, created_at = b.created_at from audit_log b
           where a.position in (2, 3) and b.position = 5 - a.position`,
      [
        { position: 2, problem: 'changed' },
        { position: 3, problem: 'changed' },
      ],
    ],
    [
      'two entries with swapped places',
      sql`update audit_log a set position = b.position + 10 from audit_log b where a.position in (2, 3) and b.position = 5 - a.position`,
      [
        { position: 12, problem: 'missing' },
        { position: 13, problem: 'missing' },
      ],
    ],
  ])('a verification finds %s', async (_, statement, findings) => {
    const { deps, tamper } = await setUp(fourDays)
    expect((await verifyAuditLog(deps)).findings).toEqual([])
    await tamper(statement)
    const found = (await verifyAuditLog(deps)).findings
    expect(found).toEqual(expect.arrayContaining(findings))
  })

  it('refuses to change, delete or truncate entries, and seals only once', async () => {
    const { deps } = await setUp(fourDays)
    for (const statement of [
      sql`update audit_log set detail = '{}'`,
      sql`update audit_log set hash = 'other'`,
      sql`delete from audit_log where position = 4`,
      sql`truncate audit_log`,
    ])
      await expect(statement.execute(deps.db)).rejects.toThrow('The audit log is append-only')
    expect(await verifyAuditLog(deps)).toMatchObject({ sealed: 4, findings: [] })
  })

  it('can still be verified after the entries of seven years ago were purged', async () => {
    const { deps, tamper } = await setUp(['2015-01-01', '2016-01-01', '2027-04-01', '2027-04-02'])
    await purgeAuditLog(deps)
    await purgeAuditLog(deps)
    expect(await verifyAuditLog(deps)).toMatchObject({ sealed: 2, last: { position: 4 }, findings: [] })
    await tamper(sql`delete from audit_log where position = 3`)
    expect((await verifyAuditLog(deps)).findings).toEqual([{ position: 4, problem: 'missing' }])
  })

  it('continues after all entries were purged', async () => {
    const { deps } = await setUp(['2015-01-01', '2016-01-01'])
    await purgeAuditLog(deps)
    expect(await verifyAuditLog(deps)).toMatchObject({ sealed: 0, findings: [] })
    const entry = { studioId: null, action: 'tag.made', entityId: '1', detail: {} } as const
    await inTransaction(deps.db, (tx) => recordAudit(tx, deps, entry))
    await sealAuditLog(deps)
    expect(await verifyAuditLog(deps)).toMatchObject({ sealed: 1, last: { position: 3 }, findings: [] })
  })
})
