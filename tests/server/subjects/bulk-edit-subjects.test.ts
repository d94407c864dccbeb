import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SelectedSubjects, SubjectEdit } from '#contract/studio/subjects.ts'
import { grantAccess } from '#server/access/grants/grants.ts'
import { purgeBulkEdits } from '#server/subjects/undo-bulk-edit.ts'
import { allRows } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createTestSession } from '#support/server/test-app.ts'
import { addGroup } from '../discovery/job-fixtures.ts'
import { createSubjectFixtures, type SubjectFixtures } from './subject-fixtures.ts'

const runs = process.env.LONG === '1' ? 300 : 12
const day = 24 * 60 * 60 * 1000

/** The stored state of subjects and grants, without versions and audit entries, which an undo does not restore. */
const readState = async ({ deps }: SubjectFixtures) => {
  const rows = await allRows(deps.db)
  const of = (table: string) =>
    (rows.get(table) ?? []).map(({ version: _, updated_at: __, ...row }) => row as Record<string, unknown>)
  const tables = ['subjects', 'subject_fields', 'subject_groups', 'access_codes', 'session_grants', 'groups']
  return Object.fromEntries(
    tables.map((table) => [
      table,
      of(table).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
    ]),
  )
}

describe.each(enginesFor(import.meta.filename))('bulk edits of subjects on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const school = await createSubjectFixtures(database())
    const { tell } = school
    const edit = async (whom: SelectedSubjects, what: SubjectEdit) =>
      await tell('POST', 'subjects/edits', { whom, edit: what })
    const undo = async (editId: number) => await tell('POST', `subjects/edits/${editId}/undo`, {})
    return { school, ...school, edit, undo }
  }

  it('a field is set for given ids or all matches of a filter, and changed subjects are counted', async () => {
    const { edit, undo, one, names, ada, ben, zoe, school } = await begin()
    const before = await readState(school)
    const first = await edit({ ids: [ada, ben] }, { do: 'set-field', name: 'Teacher', value: 'Ms. Alvarez' })
    expect(first.data).toEqual({ count: 1, editId: expect.any(Number) })
    const second = await edit(
      { matching: { filter: 'lo', visibility: 'shown' } },
      { do: 'set-field', name: 'Teacher', value: 'Mr. Okafor' },
    )
    expect(second.data.count).toBe(2)
    expect([(await one(ada)).fields, (await one(ben)).fields]).toMatchObject([
      [{ value: 'Mr. Okafor' }],
      [{ value: 'Mr. Okafor' }],
    ])
    expect(await names('filter=okafor')).toEqual(['Ada Lovelace', 'Ben Lovell'])
    const third = await edit({ ids: [ada, zoe] }, { do: 'set-field', name: 'Teacher', value: '' })
    expect(third.data.count).toBe(1)
    expect((await one(ada)).fields).toEqual([])
    for (const { data } of [third, second, first]) expect((await undo(data.editId)).data).toMatchObject({ left: 0 })
    expect(await readState(school)).toEqual(before)
  })

  it('a value that is not an option and a group of another job are refused', async () => {
    const { edit, deps, studioId, spring, team, ada, kai } = await begin()
    const options = JSON.stringify([{ id: 1, value: '3' }])
    const field = {
      studio_id: studioId,
      job_id: spring.jobId,
      name: 'Grade',
      label: 'Grade',
      has_options: true,
      options,
    }
    await deps.db.insertInto('job_fields').values(field).execute()
    expect(await edit({ ids: [ada] }, { do: 'set-field', name: 'grade', value: '7' })).toMatchObject({
      status: 422,
      fields: { value: ['This value must be one of 3'] },
    })
    const groupId = await addGroup(deps, team, 'Rapids', [kai])
    expect(await edit({ ids: [ada] }, { do: 'add-to-group', groupId })).toMatchObject({ status: 404 })
  })

  it('subjects can be moved to a group, added to it and removed from it', async () => {
    const { edit, deps, spring, ada, ben, zoe, grade, one } = await begin()
    const bees = await addGroup(deps, spring, 'Bees', [ada])
    const groupsOf = async (id: number) => (await one(id)).groups.map(({ name }: { name: string }) => name)
    expect((await edit({ ids: [ada, ben] }, { do: 'add-to-group', groupId: bees })).data.count).toBe(1)
    expect([await groupsOf(ada), await groupsOf(ben)]).toEqual([['Grade 3', 'Bees'], ['Bees']])
    expect((await edit({ ids: [ada, ben, zoe] }, { do: 'move-to-group', groupId: grade })).data.count).toBe(2)
    expect([await groupsOf(ada), await groupsOf(ben)]).toEqual([['Grade 3'], ['Grade 3']])
    expect((await edit({ matching: { groupId: grade } }, { do: 'remove-from-group', groupId: grade })).data.count).toBe(
      3,
    )
    expect([await groupsOf(ada), await groupsOf(zoe)]).toEqual([[], []])
  })

  it('subjects without a code get one', async () => {
    const { edit, undo, one, ada, zoe } = await begin()
    const { data } = await edit({ matching: {} }, { do: 'give-codes' })
    expect(data.count).toBe(1)
    expect((await one(ada)).code.code).toBe('ADALVL')
    expect((await one(zoe)).code.code).toMatch(/^[A-HJKMNP-Z2-9]{8}$/)
    await undo(data.editId)
    expect((await one(zoe)).code).toBeNull()
  })

  it("hiding works at once, and its undo restores each session's grants", async () => {
    const { school, deps, edit, undo, spring, ada, ben } = await begin()
    const session = await createTestSession(deps)
    const visit = { session, job: spring }
    const give = (subjectId: number) =>
      deps.db.transaction().execute((tx) => grantAccess(tx, deps, visit, { kind: 'subject', subjectId }))
    await give(ada)
    const before = await readState(school)
    const { data } = await edit({ ids: [ada, ben] }, { do: 'hide' })
    const revoked = await deps.db.selectFrom('session_grants').select('revoked_at').execute()
    expect([data.count, revoked.map(({ revoked_at: at }) => at !== null)]).toEqual([2, [true]])
    expect((await undo(data.editId)).data).toEqual({ count: 2, left: 0 })
    expect(await readState(school)).toEqual(before)
    // A repeated undo does nothing.
    expect((await undo(data.editId)).data).toEqual({ count: 0, left: 0 })
    expect(await readState(school)).toEqual(before)
  })

  it('an undo skips subjects that were changed since and reports them', async () => {
    const { edit, undo, tell, one, ada, ben } = await begin()
    const { data } = await edit({ ids: [ada, ben] }, { do: 'set-field', name: 'Bus', value: '7' })
    const { version } = await one(ada)
    await tell('PATCH', `subjects/${ada}`, { version, reference: 'A1' })
    expect((await undo(data.editId)).data).toEqual({ count: 1, left: 1 })
    expect(await one(ada)).toMatchObject({
      reference: 'A1',
      fields: [{ name: 'Teacher' }, { name: 'Bus', value: '7' }],
    })
    expect((await one(ben)).fields).toEqual([])
  })

  it('an edit cannot be undone after a day and is deleted then', async () => {
    const { deps, edit, undo, time, ada } = await begin()
    const { data } = await edit({ ids: [ada] }, { do: 'hide' })
    await purgeBulkEdits(deps)
    time.advance(day)
    expect(await undo(data.editId)).toMatchObject({ status: 422, errors: ['This was too long ago to be undone'] })
    await purgeBulkEdits(deps)
    expect(await undo(data.editId)).toMatchObject({ status: 404 })
    expect((await allRows(deps.db)).get('subject_edit_rows')).toEqual([])
  })

  it('a form that was opened before a bulk edit gets a conflict', async () => {
    const { edit, tell, ada } = await begin()
    await edit({ ids: [ada] }, { do: 'set-field', name: 'Bus', value: '7' })
    expect(await tell('PATCH', `subjects/${ada}`, { version: 1, firstName: 'Old' })).toMatchObject({ status: 409 })
  })

  it('undoing random edits in reverse order restores everything', async () => {
    const { school, edit, undo, deps, spring, ada, ben, zoe, hidden, grade } = await begin()
    const bees = await addGroup(deps, spring, 'Bees', [ada])
    const session = await createTestSession(deps)
    const visit = { session, job: spring }
    for (const subjectId of [ada, zoe]) {
      await deps.db.transaction().execute((tx) => grantAccess(tx, deps, visit, { kind: 'subject', subjectId }))
    }
    const whom: fc.Arbitrary<SelectedSubjects> = fc.oneof(
      fc.record({ ids: fc.subarray([ada, ben, zoe, hidden], { minLength: 1 }) }),
      fc.record({
        matching: fc.constantFrom<object[]>({}, { filter: 'lo' }, { groupId: grade }, { visibility: 'hidden' }),
      }),
    )
    const what: fc.Arbitrary<SubjectEdit> = fc.oneof(
      fc.record({
        do: fc.constant('set-field' as const),
        name: fc.constantFrom('Teacher', 'Bus'),
        value: fc.constantFrom('', 'Ms. Alvarez', '7'),
      }),
      fc.record({
        do: fc.constantFrom('move-to-group' as const, 'add-to-group' as const, 'remove-from-group' as const),
        groupId: fc.constantFrom(grade, bees),
      }),
      fc.record({ do: fc.constantFrom('hide' as const, 'show' as const, 'give-codes' as const) }),
    )
    const deeds = fc.array(fc.tuple(whom, what), { minLength: 1, maxLength: 6 })
    const before = await readState(school)
    await fc.assert(
      fc.asyncProperty(deeds, async (list) => {
        const done: number[] = []
        for (const [who, does] of list) {
          const { data } = await edit(who, does)
          if (data.editId !== null) done.push(data.editId)
        }
        for (const editId of done.toReversed()) expect((await undo(editId)).data.left).toBeLessThanOrEqual(0)
        expect(await readState(school)).toEqual(before)
      }),
      { numRuns: runs },
    )
  })
})
