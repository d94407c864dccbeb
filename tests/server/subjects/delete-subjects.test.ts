import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { removeFiles } from '#server/jobs/delete-job.ts'
import { allRows } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { signToken } from '#support/server/sign-token.ts'
import { recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { addImage, jpegAt } from '../discovery/job-fixtures.ts'
import { readyToPay } from '../payments/checkout-driver.ts'
import { createSubjectFixtures } from './subject-fixtures.ts'

/** Tables with retention periods of their own: sent emails and requests of devices. */
const withDeadlines = ['mail_log', 'cart_mutations', 'tax_log', 'audit_log']

describe.each(enginesFor(import.meta.filename))("deleting a family's data on $name", (engine) => {
  const database = freshDatabase(engine)

  it('a subject is deleted with all data once the name is typed', async () => {
    const { deps, tell, spring, ada, ben, names, jobs, one } = await createSubjectFixtures(database())
    const owner = { kind: 'hosted-individual', subjectId: ada } as const
    const image = { fileName: 'Lovelace.jpg', owner, position: 1, publishedAt: deps.clock() }
    await addImage(deps, spring, image, await jpegAt(1))
    // An accepted cut-out is the image; the uploaded file is stored separately.
    const [uploaded] = await deps.db.selectFrom('image_lookups').select('original_key').execute()
    const cutOut = (uploaded?.original_key ?? '').replace(/original$/, 'cut-out-0a1b')
    await deps.files.put(cutOut, Buffer.from('a cut-out'))
    const accepted = { original_key: cutOut, uploaded_key: uploaded?.original_key ?? null }
    await deps.db.updateTable('image_lookups').set(accepted).execute()
    const bens = { ...image, fileName: 'ben.jpg', owner: { ...owner, subjectId: ben } }
    await addImage(deps, spring, bens, await jpegAt(2))
    // One upload is in progress; another was rejected before it was matched.
    const part = `uploads/${spring.studioId}/lovelace/part`
    await deps.files.put(part, Buffer.from('half a picture'))
    const coming = { studio_id: spring.studioId, job_id: spring.jobId, purpose: 'image', byte_size: 20 } as const
    const parts = JSON.stringify([{ key: part, size: 14 }])
    await deps.db
      .insertInto('uploads')
      .values([
        { ...coming, upload_key: 'lovelace', file_name: 'Lovelace 3.jpg', subject_id: ada, received_bytes: 14, parts },
        {
          ...coming,
          upload_key: 'refused',
          file_name: 'Lovelace.pdf',
          subject_id: ada,
          state: 'refused',
          refusal: 'A PDF',
        },
        { ...coming, upload_key: 'ben', file_name: 'ben 2.jpg', subject_id: ben },
      ])
      .execute()
    const edit = { whom: { ids: [ada] }, edit: { do: 'set-field', name: 'Bus', value: '7' } }
    await tell('POST', 'subjects/edits', edit)
    const stored = async () => {
      const keys: string[] = []
      for await (const { key } of deps.files.list('')) keys.push(key)
      return keys
    }
    const before = await stored()
    expect(before).toHaveLength(12)

    // Recorded responses are replayed to retries and contain names.
    const versions = new Map<number, number>()
    for (const id of [ada, ben]) versions.set(id, (await one(id)).version)
    const renamed = (id: number) =>
      tell('PATCH', `subjects/${id}`, { version: versions.get(id), reference: `S-${id}` }, { key: `rename-${id}` })
    for (const id of [ben, ada]) expect(await renamed(id)).toMatchObject({ status: 200 })
    const bensBefore = await one(ben)
    const erase = (typed: string) => tell('POST', 'subjects/erase', { ids: [ada], typed })
    expect(await erase('Ada')).toMatchObject({
      status: 422,
      fields: { typed: ['Type Ada Lovelace to confirm'] },
    })
    expect(await names('filter=ada')).toEqual(['Ada Lovelace'])
    expect(await erase('ada lovelace')).toMatchObject({ status: 200, data: { count: 1 } })

    expect(await names('filter=')).toEqual(['Ben Lovell', 'Alma Lowe', 'Zoë O’Connor'])
    const removals = jobs.filter(({ name }) => name === 'remove-files')
    for (const { payload } of removals) await removeFiles(deps, payload)
    const errors = [
      'This was done before. What was answered then was forgotten when somebody of this event was deleted',
    ]
    for (const id of [ada, ben]) expect(await renamed(id)).toMatchObject({ status: 404, errors })
    expect(await stored()).toHaveLength(5)
    expect(await one(ben)).toEqual(bensBefore)
    const left = await deps.db.selectFrom('uploads').select('upload_key').execute()
    expect(left).toEqual([{ upload_key: 'ben' }])
    for (const [table, rows] of await allRows(deps.db)) {
      // The Ada of another studio is another subject.
      const ours = rows.filter((row) => row.studio_id === undefined || row.studio_id === spring.studioId)
      expect([table, /Lovelace|ADALVL|Alvarez/i.test(JSON.stringify(ours))]).toEqual([table, false])
    }
    const trail = await deps.db.selectFrom('audit_log').select(['action', 'entity_id']).execute()
    expect(trail).toEqual([{ action: 'subject.erased', entity_id: String(ada) }])
  })

  it('recorded responses under former names are deleted, and those of others stay', async () => {
    const { deps, tell, ada, studioId, organizationId } = await createSubjectFixtures(database())
    const { version } = await tell('GET', `subjects/${ada}`).then(({ data }) => data)
    const rename = (firstName: string, of: number, key: string) =>
      tell('PATCH', `subjects/${ada}`, { version: of, firstName }, { key })
    expect(await rename('Augusta', version, 'one')).toMatchObject({ status: 200 })
    expect(await rename('Ada', version + 1, 'two')).toMatchObject({ status: 200 })
    const other = `/api/studioadmin/studios/${studioId}/jobs`
    const job = { name: 'Fall', organizationId, prepay: true, gallery: false }
    const made = () => tell('POST', other, job, { key: 'three' })
    const fall = await made()
    expect(fall).toMatchObject({ status: 200 })
    const erased = () => tell('POST', 'subjects/erase', { ids: [ada], typed: 'ada lovelace' }, { key: 'four' })
    expect(await erased()).toMatchObject({ status: 200, data: { count: 1 } })
    expect(JSON.stringify(await deps.db.selectFrom('idempotency_keys').selectAll().execute())).not.toMatch(
      /Augusta|Lovelace/,
    )
    expect(await made()).toEqual(fall)
    expect(await erased()).toMatchObject({ status: 200, data: { count: 1 } })
  })

  it('several subjects are deleted together or not at all once their number is typed', async () => {
    const { tell, ada, ben, stranger, names } = await createSubjectFixtures(database())
    const erase = (ids: number[], typed: string) => tell('POST', 'subjects/erase', { ids, typed })
    expect(await erase([ada, stranger], '2')).toMatchObject({ status: 404 })
    expect(await erase([ada, ben], '3')).toMatchObject({ fields: { typed: ['Type 2 to confirm'] } })
    expect(await names('filter=l')).toHaveLength(3)
    expect(await erase([ada, ben], '2')).toMatchObject({ data: { count: 2 } })
    expect(await names('filter=lov')).toEqual([])
  })

  it('subjects with prints in production stay; afterwards the sale stays without their data', async () => {
    const { enqueue } = recordingQueue()
    const deps: Deps = { ...testDeps(database()), jobs: { enqueue } }
    const app = await testApp(deps)
    const { shop, till, paying } = await readyToPay(deps, app)
    const { studioId, jobId, adaId } = shop
    const { data } = await till.submit(paying())
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
    const money = () =>
      deps.db
        .selectFrom('orders')
        .select(['total_cents', 'tax_cents', 'totals', 'first_name', 'billing_address'])
        .execute()
    const sums = await money()
    await deps.db.updateTable('orders').set({ state: 'shipped' }).execute()
    expect(await erase()).toMatchObject({ status: 200, data: { count: 1 } })
    expect(await money()).toEqual(sums)
    const lines = await deps.db
      .selectFrom('order_lines')
      .select(['subject_id', 'snapshot', 'amount_cents', 'name'])
      .execute()
    expect(lines).toMatchObject([{ subject_id: null, snapshot: { subject: { firstName: '', lastName: '' } } }])
    for (const [table, rows] of await allRows(deps.db)) {
      if (withDeadlines.includes(table)) continue
      expect([table, /\bAda\b|Lovelace/.test(JSON.stringify(rows))]).toEqual([table, false])
    }
    // The customer who paid still finds the order.
    expect(await till.order(number)).toMatchObject({
      orderNumber: number,
      lines: [{ personName: '', imageThumbnailUrl: null }],
    })
  })
})
