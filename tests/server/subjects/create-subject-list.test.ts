import { describe, expect, it } from 'vitest'
import type { NewSubject } from '#contract/studio/subjects.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { findCode } from '#server/discovery/redeem-code.ts'
import { ensureGroups, insertSubjects as importSubjects, reserveSubjectIds } from '#server/imports/write-subjects.ts'
import { readJobChanges } from '#server/jobs/store/job-changes.ts'
import { insertSubjects } from '#server/subjects/create-subjects.ts'
import { removeStagedSubjects } from '#server/subjects/staged-subjects.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { createSubjectFixtures } from './subject-fixtures.ts'

const list: NewSubject[] = Array.from({ length: 130 }, (_, n) => ({
  firstName: `Child${n}`,
  lastName: 'Zander',
  reference: `Z${n}`,
  groups: [n % 2 === 0 ? 'Grade 3' : 'Bees'],
  fields: [{ name: 'Bus', value: `B${n % 5}` }],
  ...(n === 0 && { code: 'ZANDER' }),
}))

const reserveIds = ({ db }: Pick<Deps, 'db'>) => inTransaction(db, (tx) => reserveSubjectIds(tx, 1))

describe.each(enginesFor(import.meta.filename))('lists of subjects created in steps on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const fixtures = await createSubjectFixtures(database())
    const { deps, spring, staffRequest, subjectsUrl } = fixtures
    const countRows = async () => {
      const { db } = deps
      const tables = ['subjects', 'groups', 'subject_groups', 'subject_fields', 'access_codes'] as const
      return await Promise.all(tables.map(async (table) => (await db.selectFrom(table).selectAll().execute()).length))
    }
    /** Stores the list without its last step, as a process does that is killed before it. */
    const stageList = () =>
      inTransaction(deps.db, (tx) => {
        const input = { job: spring, drafts: list, customFields: [], codes: 'new', createdAt: deps.clock() } as const
        return insertSubjects(tx, deps, { input, state: 'staged' })
      })
    const send = (idempotencyKey?: string) =>
      staffRequest(
        'POST',
        `${subjectsUrl}/bulk`,
        { subjects: list, codes: 'new' },
        { ...(idempotencyKey !== undefined && { idempotencyKey }) },
      )
    return { ...fixtures, countRows, stageList, send }
  }

  it('a list that fails in a later step leaves nothing behind, and can be sent again', async () => {
    const { deps, countRows, send, listNames } = await setUp()
    const rowsBefore = await countRows()
    let draws = 0
    const failing = (count: number) => {
      draws += 1
      if (draws === 90) throw new Error('no randomness is left')
      return crypto.getRandomValues(new Uint8Array(count))
    }
    Object.assign(deps, { randomBytes: failing })
    expect(await send()).toMatchObject({ status: 500 })
    expect(draws).toBe(90)
    expect(await countRows()).toEqual(rowsBefore)
    expect(await send()).toMatchObject({ status: 200, data: { count: 130 } })
    expect(await listNames('filter=zander%20child129')).toEqual(['Child129 Zander'])
  })

  // PostgreSQL creates a list in one transaction.
  if (engine.name === 'embedded')
    it('a list whose job is deleted between two steps is not found, and leaves nothing behind', async () => {
      const { deps, spring, send } = await setUp()
      let pauses = 0
      const wait = async () => {
        pauses += 1
        if (pauses === 2) await deps.db.deleteFrom('jobs').where('id', '=', spring.jobId).execute()
      }
      Object.assign(deps, { wait })
      expect(await send()).toMatchObject({ status: 404 })
      expect(pauses).toBeGreaterThan(2)
      expect(await deps.db.selectFrom('subjects').select('id').where('last_name', '=', 'Zander').execute()).toEqual([])
    })

  it('a list that is sent again with its key gets the same answer, and no subject is created twice', async () => {
    const { countRows, send } = await setUp()
    const first = await send('list-1')
    expect(first).toMatchObject({ status: 200, data: { count: 130 } })
    const rows = await countRows()
    expect(await send('list-1')).toEqual(first)
    expect(await countRows()).toEqual(rows)
  })

  it('a list whose transaction is retried after a conflict is created completely', async () => {
    const { deps, send, listNames } = await setUp()
    let draws = 0
    const conflicting = (count: number) => {
      draws += 1
      if (draws === 90) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
      return crypto.getRandomValues(new Uint8Array(count))
    }
    Object.assign(deps, { randomBytes: conflicting })
    expect(await send()).toMatchObject({ status: 200, data: { count: 130 } })
    expect(draws).toBeGreaterThan(130)
    expect(await listNames('filter=zander%20child1')).toHaveLength(41)
  })

  it('subjects of a list count as created when the list is complete, so that an import previewed meanwhile notices them', async () => {
    const { deps, spring, send } = await setUp()
    let seconds = 0
    const clock = () => {
      seconds += 1
      return new Date(Date.UTC(2027, 3, 1) + seconds * 1000)
    }
    let lastDrawAt = new Date(0)
    Object.assign(deps, {
      clock,
      randomBytes: (count: number) => {
        lastDrawAt = clock()
        return crypto.getRandomValues(new Uint8Array(count))
      },
    })
    await send()
    const subjects = await deps.db
      .selectFrom('subjects')
      .select('created_at')
      .where('job_id', '=', spring.jobId)
      .where('last_name', '=', 'Zander')
      .execute()
    expect(subjects).toHaveLength(130)
    expect(subjects.filter(({ created_at }) => created_at <= lastDrawAt)).toEqual([])
  })

  it('a class image that is uploaded while a list is created stays if the list fails', async () => {
    const { deps, spring, stageList } = await setUp()
    await stageList()
    const bees = await deps.db.selectFrom('groups').select('id').where('name', '=', 'Bees').executeTakeFirstOrThrow()
    const imageId = await given(deps).image(spring, { groupId: bees.id })
    await removeStagedSubjects(deps)
    const images = await deps.db.selectFrom('image_lookups').select('group_id').where('id', '=', imageId).execute()
    expect(images).toEqual([{ group_id: bees.id }])
  })

  it('no one sees subjects of an unfinished list, and the next start removes them', async () => {
    const { deps, studioId, spring, countRows, stageList, send, listNames } = await setUp()
    const rowsBefore = await countRows()
    const changesBefore = await readJobChanges(deps.db, spring)
    await stageList()
    expect(await listNames('filter=zander')).toEqual([])
    expect(await findCode(deps.db, studioId, { enteredCode: 'ZANDER', now: deps.clock() })).toBeUndefined()
    expect(await readJobChanges(deps.db, spring)).toBe(changesBefore)
    await removeStagedSubjects(deps)
    expect(await countRows()).toEqual(rowsBefore)
    expect(await send()).toMatchObject({ status: 200, data: { count: 130 } })
    expect(await findCode(deps.db, studioId, { enteredCode: 'ZANDER', now: deps.clock() })).toBeDefined()
    expect(await readJobChanges(deps.db, spring)).toBeGreaterThan(changesBefore)
  })

  it('subjects that a transaction adds do not count as a change for carts, and their later changes do', async () => {
    const { deps, spring } = await setUp()
    const [before, subjectId = 0] = [await readJobChanges(deps.db, spring), (await reserveIds(deps))[0]]
    const details = { firstName: 'Una', lastName: 'Young', reference: null, code: null, groups: ['Grade 3'] }
    const fields = [{ name: 'Bus', value: 'B1' }]
    await inTransaction(deps.db, async (tx) => {
      const { idByKey } = await ensureGroups(tx, spring, details.groups)
      await importSubjects(tx, { job: spring, subjects: [{ id: subjectId, details: { ...details, fields } }], idByKey })
    })
    expect(await readJobChanges(deps.db, spring)).toBe(before)
    await deps.db.updateTable('subject_fields').set({ value: 'B2' }).where('subject_id', '=', subjectId).execute()
    expect(await readJobChanges(deps.db, spring)).toBeGreaterThan(before)
  })

  it('a start removes no finished list, and no group that others are in', async () => {
    const { deps, countRows, stageList, send, staffRequest } = await setUp()
    await send()
    const rowsBefore = await countRows()
    await removeStagedSubjects(deps)
    expect(await countRows()).toEqual(rowsBefore)
    await deps.db.updateTable('subjects').set({ reference: null }).execute()
    await deps.db.deleteFrom('access_codes').where('code', '=', 'ZANDER').execute()
    await stageList()
    await removeStagedSubjects(deps)
    const { data } = await staffRequest('GET', 'groups')
    expect(data).toMatchObject([{ name: 'Grade 3' }, { name: 'Bees', subjectCount: 65 }])
  })
})
