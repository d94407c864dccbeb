import { describe, expect, it } from 'vitest'
import { hiddenCode } from '#contract/shapes/staff-call.ts'
import { supportMessages } from '#domain/studio/support-access.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { createSupportFixtures } from './support-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('access codes for administrators on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const fixtures = await createSupportFixtures(database())
    const { deps, inStudio, jobId, subjectId, robin } = fixtures
    const asRobin = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
      inStudio(robin, method, `jobs/${jobId}${path}`, body)
    const readCodes = () => deps.db.selectFrom('access_codes').selectAll().orderBy('code').execute()
    return { ...fixtures, asRobin, readCodes, subjectPath: `/subjects/${subjectId}` }
  }

  it('a code, its address and its QR code are hidden until the owner allows photos', async () => {
    const { consent, asRobin, robin, subjectPath } = await setUp()
    await consent(robin)
    const { data: job } = await asRobin('GET', '')
    expect(job).toMatchObject({ code: hiddenCode, parentPath: null })
    expect((await asRobin('GET', subjectPath)).data.code).toEqual({ code: hiddenCode, address: '', qr: '' })
    const { people } = (await asRobin('GET', '/roster')).data
    expect(people).toContainEqual(expect.objectContaining({ code: hiddenCode, opens: null }))
    await consent(robin, { hasSharpPhotos: true })
    expect((await asRobin('GET', '')).data).toMatchObject({ code: 'SPRING', parentPath: expect.any(String) })
    const { code } = (await asRobin('GET', subjectPath)).data
    expect(code).toMatchObject({ code: expect.stringMatching(/^[A-Z0-9]+$/), qr: expect.stringContaining('<svg') })
  })

  it('a hidden code is not changed by a form that sends it back, and no other code can be set', async () => {
    const { consent, asRobin, readCodes, robin, subjectPath } = await setUp()
    await consent(robin, { mayChange: true })
    const before = await readCodes()
    const refused = { status: 403, problem: 'not-allowed', errors: [supportMessages.codesHidden] }
    const renamed = await asRobin('PATCH', subjectPath, { firstName: 'Adele', code: hiddenCode })
    expect(renamed).toMatchObject({ status: 200, data: { firstName: 'Adele', code: { code: hiddenCode } } })
    expect(await asRobin('PATCH', subjectPath, { code: 'MYCODE' })).toMatchObject(refused)
    expect(await asRobin('PATCH', '/settings/general', { code: 'MYCODE' })).toMatchObject(refused)
    expect((await asRobin('PATCH', '/settings/general', { name: 'Spring', code: hiddenCode })).status).toBe(200)
    const drafts = { subjects: [{ firstName: 'Eve', lastName: 'Moss', code: 'MYCODE' }] }
    expect(await asRobin('POST', '/subjects/bulk', drafts)).toMatchObject(refused)
    expect(await readCodes()).toEqual(before)
  })

  it('the answer that a repeated request gets has no code either', async () => {
    const { deps, app, consent, headersOf, jobId, studioId, robin } = await setUp()
    await consent(robin, { mayChange: true })
    const url = `/api/studioadmin/studios/${studioId}/jobs/${jobId}/subjects/bulk?returnData=true`
    const payload = { subjects: [{ firstName: 'Eve', lastName: 'Moss' }], codes: 'new' }
    const headers = { ...(await headersOf(robin)), 'idempotency-key': 'a-key-of-the-test' }
    const bodies = []
    for (let count = 0; count < 2; count += 1)
      bodies.push((await app.inject({ method: 'POST', url, headers, payload })).json())
    expect(bodies[0].data.subjects).toMatchObject([{ firstName: 'Eve', code: hiddenCode }])
    expect(bodies[1]).toEqual(bodies[0])
    const stored = JSON.stringify(await deps.db.selectFrom('idempotency_keys').selectAll().execute())
    const codes = await deps.db.selectFrom('access_codes').select('code').execute()
    for (const { code } of codes) expect(stored).not.toContain(code)
  })

  it('the report that lists codes, its files and an import that sets codes are refused', async () => {
    const { deps, consent, inStudio, asRobin, jobId, robin, studioId } = await setUp()
    for (const identifier of ['reports', 'dataImport']) await given(deps).feature(studioId, identifier)
    await consent(robin, { mayChange: true })
    const refused = { status: 403, problem: 'not-allowed', errors: [supportMessages.codesHidden] }
    expect(await inStudio(robin, 'GET', `reports/subjects?jobId=${jobId}`)).toMatchObject(refused)
    expect(await inStudio(robin, 'POST', 'reports/subjects/export', { jobId, format: 'csv' })).toMatchObject(refused)
    expect(await inStudio(robin, 'POST', 'report-files/1/link', {})).toMatchObject(refused)
    expect(await asRobin('POST', '/imports/1/run', { version: 1 })).toMatchObject(refused)
    expect((await inStudio(robin, 'GET', 'reports/payouts')).errors).not.toEqual([supportMessages.codesHidden])
  })
})
