import { describe, expect, it } from 'vitest'
import type { ReportChoices } from '#domain/studio/saved-report.ts'
import type { Deps } from '#server/deps.ts'
import { removeFiles } from '#server/jobs/delete-job.ts'
import { removeStagedSubjects } from '#server/subjects/staged-subjects.ts'
import { allRows } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { signToken } from '#support/server/sign-token.ts'
import { recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { addImage, jpegAt } from '../discovery/job-fixtures.ts'
import { details, readyToPay } from '../payments/checkout-driver.ts'
import { createSubjectFixtures } from './subject-fixtures.ts'

/** Tables whose rows have retention periods of their own, so deleting a subject does not change them. */
const tablesWithRetention = ['mail_log', 'cart_mutations', 'tax_log', 'audit_log']

describe.each(enginesFor(import.meta.filename))("deleting a family's data on $name", (engine) => {
  const database = freshDatabase(engine)

  it('a subject is deleted with all data once the name is typed', async () => {
    const { deps, staffRequest, spring, ada, ben, listNames, jobs, readSubject } = await createSubjectFixtures(
      database(),
    )
    const owner = { kind: 'hosted-individual', subjectId: ada } as const
    const image = { fileName: 'Lovelace.jpg', owner, position: 1, publishedAt: deps.clock() }
    await addImage(deps, spring, image, await jpegAt(1))
    // An accepted cut-out is the image; the uploaded file is stored separately.
    const [uploaded] = await deps.db.selectFrom('image_lookups').select('original_key').execute()
    const cutOut = (uploaded?.original_key ?? '').replace(/original$/, 'cut-out-0a1b')
    await deps.files.put(cutOut, Buffer.from('a cut-out'))
    const accepted = { original_key: cutOut, uploaded_key: uploaded?.original_key ?? null }
    await deps.db.updateTable('image_lookups').set(accepted).execute()
    const bensImage = { ...image, fileName: 'ben.jpg', owner: { ...owner, subjectId: ben } }
    await addImage(deps, spring, bensImage, await jpegAt(2))
    // One upload is in progress, and another was refused.
    const partKey = `uploads/${spring.studioId}/lovelace/part`
    await deps.files.put(partKey, Buffer.from('half a picture'))
    const upload = { studio_id: spring.studioId, job_id: spring.jobId, purpose: 'image', byte_size: 20 } as const
    const parts = JSON.stringify([{ key: partKey, size: 14 }])
    await deps.db
      .insertInto('uploads')
      .values([
        { ...upload, upload_key: 'lovelace', file_name: 'Lovelace 3.jpg', subject_id: ada, received_bytes: 14, parts },
        {
          ...upload,
          upload_key: 'refused',
          file_name: 'Lovelace.pdf',
          subject_id: ada,
          state: 'refused',
          refusal: 'A PDF',
        },
        { ...upload, upload_key: 'ben', file_name: 'ben 2.jpg', subject_id: ben },
      ])
      .execute()
    const edit = { subjects: { ids: [ada] }, edit: { do: 'set-field', name: 'Bus', value: '7' } }
    await staffRequest('POST', 'subjects/edits', edit)
    const listFiles = async () => {
      const keys: string[] = []
      for await (const { key } of deps.files.list('')) keys.push(key)
      return keys
    }
    const before = await listFiles()
    expect(before).toHaveLength(12)

    // Recorded responses are replayed to retries and contain names.
    const versions = new Map<number, number>()
    for (const id of [ada, ben]) versions.set(id, (await readSubject(id)).version)
    const rename = (id: number) =>
      staffRequest(
        'PATCH',
        `subjects/${id}`,
        { version: versions.get(id), reference: `S-${id}` },
        { idempotencyKey: `rename-${id}` },
      )
    for (const id of [ben, ada]) expect(await rename(id)).toMatchObject({ status: 200 })
    const bensBefore = await readSubject(ben)
    const erase = (typed: string) => staffRequest('POST', 'subjects/erase', { ids: [ada], typed })
    expect(await erase('Ada')).toMatchObject({
      status: 422,
      fields: { typed: ['Type Ada Lovelace to confirm'] },
    })
    expect(await listNames('filter=ada')).toEqual(['Ada Lovelace'])
    expect(await erase('ada lovelace')).toMatchObject({ status: 200, data: { count: 1 } })

    expect(await listNames('filter=')).toEqual(['Ben Lovell', 'Alma Lowe', 'Zoë O’Connor'])
    const removals = jobs.filter(({ name }) => name === 'remove-files')
    for (const { payload } of removals) await removeFiles(deps, payload)
    const errors = [
      'This was already done. The result is no longer available, because personal data of this event was deleted',
    ]
    for (const id of [ada, ben]) expect(await rename(id)).toMatchObject({ status: 404, errors })
    expect(await listFiles()).toHaveLength(5)
    expect(await readSubject(ben)).toEqual(bensBefore)
    const remaining = await deps.db.selectFrom('uploads').select('upload_key').execute()
    expect(remaining).toEqual([{ upload_key: 'ben' }])
    for (const [table, rows] of await allRows(deps.db)) {
      // The Ada of another studio is another subject.
      const ownRows = rows.filter((row) => row.studio_id === undefined || row.studio_id === spring.studioId)
      expect([table, /Lovelace|ADALVL|Alvarez/i.test(JSON.stringify(ownRows))]).toEqual([table, false])
    }
    const auditEntries = await deps.db.selectFrom('audit_log').select(['action', 'entity_id']).execute()
    expect(auditEntries).toEqual([{ action: 'subject.erased', entity_id: String(ada) }])
  })

  it('recorded responses with former names of the subject are deleted, and other responses stay', async () => {
    const { deps, staffRequest, ada, studioId, organizationId } = await createSubjectFixtures(database())
    const { version } = await staffRequest('GET', `subjects/${ada}`).then(({ data }) => data)
    const rename = (firstName: string, fromVersion: number, key: string) =>
      staffRequest('PATCH', `subjects/${ada}`, { version: fromVersion, firstName }, { idempotencyKey: key })
    expect(await rename('Augusta', version, 'one')).toMatchObject({ status: 200 })
    expect(await rename('Ada', version + 1, 'two')).toMatchObject({ status: 200 })
    const jobsUrl = `/api/studioadmin/studios/${studioId}/jobs`
    const job = { name: 'Fall', organizationId, prepay: true, gallery: false }
    const createJob = () => staffRequest('POST', jobsUrl, job, { idempotencyKey: 'three' })
    const firstAnswer = await createJob()
    expect(firstAnswer).toMatchObject({ status: 200 })
    const eraseAda = () =>
      staffRequest('POST', 'subjects/erase', { ids: [ada], typed: 'ada lovelace' }, { idempotencyKey: 'four' })
    expect(await eraseAda()).toMatchObject({ status: 200, data: { count: 1 } })
    expect(JSON.stringify(await deps.db.selectFrom('idempotency_keys').selectAll().execute())).not.toMatch(
      /Augusta|Lovelace/,
    )
    expect(await createJob()).toEqual(firstAnswer)
    expect(await eraseAda()).toMatchObject({ status: 200, data: { count: 1 } })
  })

  it('several subjects are deleted together or not at all once their number is typed', async () => {
    const { staffRequest, ada, ben, stranger, listNames } = await createSubjectFixtures(database())
    const erase = (ids: number[], typed: string) => staffRequest('POST', 'subjects/erase', { ids, typed })
    expect(await erase([ada, stranger], '2')).toMatchObject({ status: 404 })
    expect(await erase([ada, ben], '3')).toMatchObject({ fields: { typed: ['Type 2 to confirm'] } })
    expect(await listNames('filter=l')).toHaveLength(3)
    expect(await erase([ada, ben], '2')).toMatchObject({ data: { count: 2 } })
    expect(await listNames('filter=lov')).toEqual([])
  })

  // PostgreSQL deletes subjects in one transaction.
  if (engine.name === 'embedded')
    it('a large deletion hides all subjects in its first step, and the next start finishes it after an interruption', async () => {
      const { deps, spring, staffRequest, ada, listNames, jobs } = await createSubjectFixtures(database())
      const drafts = Array.from({ length: 229 }, (_, n) => ({
        firstName: `Child${n}`,
        lastName: 'Zander',
        reference: `Z${n}`,
      }))
      const { data } = await staffRequest('POST', 'subjects/bulk?returnData=true', { subjects: drafts })
      const ids: number[] = [...data.subjects.map(({ id }: { id: number }) => id), ada]
      const owner = { kind: 'hosted-individual', subjectId: ids[228] ?? 0 } as const
      const image = { fileName: 'last.jpg', owner, position: 1, publishedAt: deps.clock() }
      await addImage(deps, spring, image, await jpegAt(1))
      const countRows = async () =>
        (await deps.db.selectFrom('subjects').select('id').where('id', 'in', ids).execute()).length
      const rowsAfterSteps: number[] = []
      const wait = async () => {
        expect(await listNames('filter=zander')).toEqual([])
        rowsAfterSteps.push(await countRows())
        if (rowsAfterSteps.length > 1) throw new Error('the process ended')
      }
      const { wait: realWait } = deps
      Object.assign(deps, { wait })
      expect(await staffRequest('POST', 'subjects/erase', { ids, typed: '230' })).toMatchObject({ status: 500 })
      expect(rowsAfterSteps).toEqual([230, 130, 30])
      Object.assign(deps, { wait: realWait })
      await removeStagedSubjects(deps)
      expect(await countRows()).toBe(0)
      expect(await deps.db.selectFrom('image_lookups').select('id').execute()).toEqual([])
      const folders = jobs.flatMap(
        ({ name, payload }) => (name === 'remove-files' ? (payload as { folders: string[] }).folders : []), // what the queue takes
      )
      expect(folders).toEqual([expect.stringContaining('/images/')])
    })

  it('a subject with an order that has not shipped cannot be deleted; later the sale stays without the subject’s data', async () => {
    const { enqueue } = recordingQueue()
    const deps: Deps = { ...testDeps(database()), jobs: { enqueue } }
    const app = await testApp(deps)
    const { fixtures, driver, submitBody } = await readyToPay(deps, app)
    const { studioId, jobId, adaId } = fixtures
    const { data } = await driver.submit(submitBody())
    const number: string = data.orderNumber
    const user = { id: 1, name: 'Sam', email: 's@s.test', permissions: ['studio.crud'] as const, studioId }
    const { token } = await signToken(deps, user)
    const { name: userName, email } = user
    await deps.db
      .insertInto('users')
      .values({ id: 1, email, name: userName, role: 'staff', studio_id: studioId, password_hash: 'x' })
      .execute()
    const erase = async () => {
      const answer = await app.inject({
        method: 'POST',
        url: `/api/studioadmin/studios/${studioId}/jobs/${jobId}/subjects/erase`,
        headers: { authorization: `Bearer ${token}` },
        payload: { ids: [adaId], typed: 'Ada Lovelace' },
      })
      return { status: answer.statusCode, ...answer.json() }
    }
    expect(await erase()).toMatchObject({
      status: 422,
      errors: [`Ada Lovelace: order ${number} is not made yet. Cancel it, or wait until it has shipped`],
    })
    const readSums = () =>
      deps.db
        .selectFrom('orders')
        .select(['total_cents', 'tax_cents', 'totals', 'first_name', 'billing_address'])
        .execute()
    const sums = await readSums()
    const { email: customerEmail } = details().customer
    const saved = { studio_id: studioId, schedule: null, recipient_id: null, next_at: null }
    const save = (name: string, choices: ReportChoices) => ({ ...saved, name, choices: JSON.stringify(choices) })
    const otherStudioId = await given(deps).studio({ slug: 'other' })
    await deps.db
      .insertInto('saved_reports')
      .values([
        save('By name', { report: 'payments', type: 'customer', filter: 'ada lovelace' }),
        save('By email', { report: 'refunds', type: 'customer', filter: customerEmail.toUpperCase() }),
        save('Lovelace, Ada', {}),
        save('Taxes', { report: 'taxes', filter: 'Lincoln', type: 'organization' }),
        { ...save('Of another studio', { filter: customerEmail }), studio_id: otherStudioId },
      ])
      .execute()
    await deps.db.updateTable('orders').set({ state: 'shipped' }).execute()
    const file = { studio_id: studioId, created_at: deps.clock(), updated_at: deps.clock() }
    await deps.db
      .insertInto('report_files')
      .values([
        { ...file, report: 'subjects', request: JSON.stringify({ jobId }), file_name: 'Subjects of the job' },
        { ...file, report: 'subjects', request: '{"jobId":999999}', file_name: 'Subjects of another job' },
        { ...file, report: 'payments', request: '{"filterType":"customer","filter":"lovelace"}', file_name: 'Found' },
        { ...file, report: 'payments', request: '{}', file_name: 'Payments' },
      ])
      .execute()
    expect(await erase()).toMatchObject({ status: 200, data: { count: 1 } })
    const reportFiles = await deps.db.selectFrom('report_files').select('file_name').orderBy('id').execute()
    expect(reportFiles.map((row) => row.file_name)).toEqual(['Subjects of another job', 'Payments'])
    expect(await readSums()).toEqual(sums)
    const savedNames = await deps.db.selectFrom('saved_reports').select('name').orderBy('name').execute()
    expect(savedNames.map(({ name }) => name)).toEqual(['Of another studio', 'Taxes'])
    const lines = await deps.db
      .selectFrom('order_lines')
      .select(['subject_id', 'snapshot', 'amount_cents', 'name'])
      .execute()
    expect(lines).toMatchObject([{ subject_id: null, snapshot: { subject: { firstName: '', lastName: '' } } }])
    for (const [table, rows] of await allRows(deps.db)) {
      if (tablesWithRetention.includes(table)) continue
      expect([table, /\bAda\b|Lovelace/.test(JSON.stringify(rows))]).toEqual([table, false])
    }
    // The customer who paid still finds the order.
    expect(await driver.order(number)).toMatchObject({
      orderNumber: number,
      lines: [{ subjectName: '', imageThumbnailUrl: null }],
    })
  })
})
