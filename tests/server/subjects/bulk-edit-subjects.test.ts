import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SelectedSubjects, SubjectEdit } from '#contract/studio/subjects.ts'
import { grantAccess } from '#server/access/grants/grants.ts'
import { purgeBulkEdits } from '#server/subjects/undo-bulk-edit.ts'
import { allRows } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { createTestSession } from '#support/server/test-app.ts'
import { createSubjectFixtures, type SubjectFixtures } from './subject-fixtures.ts'

const runs = process.env.LONG === '1' ? 300 : 12
const day = 24 * 60 * 60 * 1000

/** The stored state of subjects and grants, without versions and audit entries, which an undo does not restore. */
const readState = async ({ deps }: SubjectFixtures) => {
  const rows = await allRows(deps.db)
  const readTable = (table: string) =>
    (rows.get(table) ?? []).map(({ version: _, updated_at: __, ...row }) => row as Record<string, unknown>)
  const tables = ['subjects', 'subject_fields', 'subject_groups', 'access_codes', 'session_grants', 'groups']
  return Object.fromEntries(
    tables.map((table) => [
      table,
      readTable(table).sort((row, otherRow) => (JSON.stringify(row) < JSON.stringify(otherRow) ? -1 : 1)),
    ]),
  )
}

describe.each(enginesFor(import.meta.filename))('bulk edits of subjects on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const subjectFixtures = await createSubjectFixtures(database())
    const { staffRequest } = subjectFixtures
    const edit = async (selection: SelectedSubjects, subjectEdit: SubjectEdit) =>
      await staffRequest('POST', 'subjects/edits', { subjects: selection, edit: subjectEdit })
    const undo = async (editId: number) => await staffRequest('POST', `subjects/edits/${editId}/undo`, {})
    return { subjectFixtures, ...subjectFixtures, edit, undo }
  }

  it('a field is set for given ids or all matches of a filter, and changed subjects are counted', async () => {
    const { edit, undo, readSubject, listNames, ada, ben, zoe, subjectFixtures } = await setUp()
    const before = await readState(subjectFixtures)
    const first = await edit({ ids: [ada, ben] }, { do: 'set-field', name: 'Teacher', value: 'Ms. Alvarez' })
    expect(first.data).toEqual({ count: 1, editId: expect.any(Number) })
    const second = await edit(
      { matching: { filter: 'lo', visibility: 'shown' } },
      { do: 'set-field', name: 'Teacher', value: 'Mr. Okafor' },
    )
    expect(second.data.count).toBe(2)
    expect([(await readSubject(ada)).fields, (await readSubject(ben)).fields]).toMatchObject([
      [{ value: 'Mr. Okafor' }],
      [{ value: 'Mr. Okafor' }],
    ])
    expect(await listNames('filter=okafor')).toEqual(['Ada Lovelace', 'Ben Lovell'])
    const third = await edit({ ids: [ada, zoe] }, { do: 'set-field', name: 'Teacher', value: '' })
    expect(third.data.count).toBe(1)
    expect((await readSubject(ada)).fields).toEqual([])
    for (const { data } of [third, second, first]) expect((await undo(data.editId)).data).toMatchObject({ left: 0 })
    expect(await readState(subjectFixtures)).toEqual(before)
  })

  it('a value that is not an option and a group of another job are refused', async () => {
    const { edit, deps, studioId, spring, team, ada, kai } = await setUp()
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
    const groupId = await given(deps).group(team, 'Rapids', [kai])
    expect(await edit({ ids: [ada] }, { do: 'add-to-group', groupId })).toMatchObject({ status: 404 })
  })

  it('subjects can be moved to a group, added to it and removed from it', async () => {
    const { edit, deps, spring, ada, ben, zoe, grade, readSubject } = await setUp()
    const beesId = await given(deps).group(spring, 'Bees', [ada])
    const groupsOf = async (id: number) => (await readSubject(id)).groups.map(({ name }: { name: string }) => name)
    expect((await edit({ ids: [ada, ben] }, { do: 'add-to-group', groupId: beesId })).data.count).toBe(1)
    expect([await groupsOf(ada), await groupsOf(ben)]).toEqual([['Grade 3', 'Bees'], ['Bees']])
    expect((await edit({ ids: [ada, ben, zoe] }, { do: 'move-to-group', groupId: grade })).data.count).toBe(2)
    expect([await groupsOf(ada), await groupsOf(ben)]).toEqual([['Grade 3'], ['Grade 3']])
    expect((await edit({ matching: { groupId: grade } }, { do: 'remove-from-group', groupId: grade })).data.count).toBe(
      3,
    )
    expect([await groupsOf(ada), await groupsOf(zoe)]).toEqual([[], []])
  })

  it('subjects without a code get one', async () => {
    const { edit, undo, readSubject, ada, zoe } = await setUp()
    const { data } = await edit({ matching: {} }, { do: 'give-codes' })
    expect(data.count).toBe(1)
    expect((await readSubject(ada)).code.code).toBe('ADALVL')
    expect((await readSubject(zoe)).code.code).toMatch(/^[A-HJKMNP-Z2-9]{8}$/)
    await undo(data.editId)
    expect((await readSubject(zoe)).code).toBeNull()
  })

  it("hiding works at once, and its undo restores each session's grants", async () => {
    const { subjectFixtures, deps, edit, undo, spring, ada, ben } = await setUp()
    const session = await createTestSession(deps)
    const grantTarget = { session, job: spring }
    const grant = (subjectId: number) =>
      deps.db.transaction().execute((tx) => grantAccess(tx, deps, grantTarget, { kind: 'subject', subjectId }))
    await grant(ada)
    const before = await readState(subjectFixtures)
    const { data } = await edit({ ids: [ada, ben] }, { do: 'hide' })
    const revoked = await deps.db.selectFrom('session_grants').select('revoked_at').execute()
    expect([data.count, revoked.map(({ revoked_at: at }) => at !== null)]).toEqual([2, [true]])
    expect((await undo(data.editId)).data).toEqual({ count: 2, left: 0 })
    expect(await readState(subjectFixtures)).toEqual(before)
    // A repeated undo does nothing.
    expect((await undo(data.editId)).data).toEqual({ count: 0, left: 0 })
    expect(await readState(subjectFixtures)).toEqual(before)
  })

  it('an undo skips subjects that were changed since and reports them', async () => {
    const { edit, undo, staffRequest, readSubject, ada, ben } = await setUp()
    const { data } = await edit({ ids: [ada, ben] }, { do: 'set-field', name: 'Bus', value: '7' })
    const { version } = await readSubject(ada)
    await staffRequest('PATCH', `subjects/${ada}`, { version, reference: 'A1' })
    expect((await undo(data.editId)).data).toEqual({ count: 1, left: 1 })
    expect(await readSubject(ada)).toMatchObject({
      reference: 'A1',
      fields: [{ name: 'Teacher' }, { name: 'Bus', value: '7' }],
    })
    expect((await readSubject(ben)).fields).toEqual([])
  })

  it('an edit cannot be undone after a day and is deleted then', async () => {
    const { deps, edit, undo, time, ada } = await setUp()
    const { data } = await edit({ ids: [ada] }, { do: 'hide' })
    await purgeBulkEdits(deps)
    time.advance(day)
    expect(await undo(data.editId)).toMatchObject({ status: 422, errors: ['This was too long ago to be undone'] })
    await purgeBulkEdits(deps)
    expect(await undo(data.editId)).toMatchObject({ status: 404 })
    expect((await allRows(deps.db)).get('subject_edit_rows')).toEqual([])
  })

  it('a form that was opened before a bulk edit gets a conflict', async () => {
    const { edit, staffRequest, ada } = await setUp()
    await edit({ ids: [ada] }, { do: 'set-field', name: 'Bus', value: '7' })
    expect(await staffRequest('PATCH', `subjects/${ada}`, { version: 1, firstName: 'Old' })).toMatchObject({
      status: 409,
    })
  })

  it(
    'undoing random edits in reverse order restores everything',
    async () => {
      const { subjectFixtures, edit, undo, deps, spring, ada, ben, zoe, hidden, grade } = await setUp()
      const beesId = await given(deps).group(spring, 'Bees', [ada])
      const session = await createTestSession(deps)
      const grantTarget = { session, job: spring }
      for (const subjectId of [ada, zoe]) {
        await deps.db.transaction().execute((tx) => grantAccess(tx, deps, grantTarget, { kind: 'subject', subjectId }))
      }
      const selection: fc.Arbitrary<SelectedSubjects> = fc.oneof(
        fc.record({ ids: fc.subarray([ada, ben, zoe, hidden], { minLength: 1 }) }),
        fc.record({
          matching: fc.constantFrom<object[]>({}, { filter: 'lo' }, { groupId: grade }, { visibility: 'hidden' }),
        }),
      )
      const subjectEdit: fc.Arbitrary<SubjectEdit> = fc.oneof(
        fc.record({
          do: fc.constant('set-field' as const),
          name: fc.constantFrom('Teacher', 'Bus'),
          value: fc.constantFrom('', 'Ms. Alvarez', '7'),
        }),
        fc.record({
          do: fc.constantFrom('move-to-group' as const, 'add-to-group' as const, 'remove-from-group' as const),
          groupId: fc.constantFrom(grade, beesId),
        }),
        fc.record({ do: fc.constantFrom('hide' as const, 'show' as const, 'give-codes' as const) }),
      )
      const edits = fc.array(fc.tuple(selection, subjectEdit), { minLength: 1, maxLength: 6 })
      const before = await readState(subjectFixtures)
      await fc.assert(
        fc.asyncProperty(edits, async (editList) => {
          const editIds: number[] = []
          for (const [subjects, change] of editList) {
            const { data } = await edit(subjects, change)
            if (data.editId !== null) editIds.push(data.editId)
          }
          for (const editId of editIds.toReversed()) expect((await undo(editId)).data.left).toBeLessThanOrEqual(0)
          expect(await readState(subjectFixtures)).toEqual(before)
        }),
        { numRuns: runs },
      )
    },
    // A run sends about ten requests.
    30_000 + runs * 1_000,
  )
})
