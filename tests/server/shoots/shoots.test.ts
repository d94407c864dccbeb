import { describe, expect, it } from 'vitest'
import type { CheckIn, MarkResult, Shoot, ShootSubject } from '#contract/studio/shoots.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { createCartFixtures, newUuid } from '../carts/cart-fixtures.ts'

const minute = 60_000

describe.each(enginesFor(import.meta.filename))('shoots on $name', (engine) => {
  const database = freshDatabase(engine)

  /** Ada with a code, Bo and Cy in a group, Di in none; the time is ten o'clock. */
  const setUp = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const fixtures = await createCartFixtures(deps)
    const { studioId, jobId, adaId } = fixtures
    const bo = await fixtures.addSubject('Bo')
    const cy = await fixtures.addSubject('Cy')
    const di = await fixtures.addSubject('Di')
    const groupId = await given(deps).group({ studioId, jobId }, 'Grade 3')
    for (const subject_id of [bo, cy])
      await deps.db
        .insertInto('subject_groups')
        .values({ studio_id: studioId, subject_id, group_id: groupId })
        .execute()
    const code = { studio_id: studioId, job_id: jobId, subject_id: adaId, code: 'ADALVL' }
    await deps.db.insertInto('access_codes').values(code).execute()
    await deps.db.updateTable('subjects').set({ reference: 'LN-77' }).where('id', '=', cy).execute()
    const { staffRequest } = await staffClient(deps, app, studioId)
    const request = (path: string) => staffRequest('GET', `jobs/${jobId}/${path}`)
    const post = (path: string, body: object = {}) => staffRequest('POST', `jobs/${jobId}/${path}`, body)
    const isoNow = () => time.clock().toISOString()
    const markInput = (overrides: object = {}) => ({ key: newUuid(), at: isoNow(), station: '1', ...overrides })
    const mark = (subjectId: number, kind: string, overrides: object = {}) =>
      post('shoot/marks', markInput({ subjectId, kind, ...overrides }))
    const readShoot = async () => (await request('shoot')).data as Shoot
    const listCheckIns = async (query = '') => (await request(`check-ins?${query}`)).data as CheckIn[]
    return {
      ...time,
      deps,
      app,
      fixtures,
      bo,
      cy,
      di,
      groupId,
      staffRequest,
      request,
      post,
      markInput,
      mark,
      readShoot,
      listCheckIns,
    }
  }

  it('a shoot counts photographed and waiting subjects, in total and by group', async () => {
    const { fixtures, bo, cy, groupId, mark, readShoot, advance } = await setUp()
    await mark(fixtures.adaId, 'present')
    advance(minute)
    await mark(bo, 'present', { station: '2' })
    advance(minute)
    await mark(cy, 'absent')
    expect(await readShoot()).toMatchObject({
      jobName: 'Spring Portraits',
      counts: { waiting: 1, photographed: 2, absent: 1, retake: 0 },
      groups: [
        { groupId, name: 'Grade 3', counts: { waiting: 0, photographed: 1, absent: 1, retake: 0 } },
        { groupId: null, name: '', counts: { waiting: 1, photographed: 1, absent: 0, retake: 0 } },
      ],
      stations: [
        { name: '1', checkIns: 1, lastAt: '2027-04-15T10:00:00.000Z' },
        { name: '2', checkIns: 1, lastAt: '2027-04-15T10:01:00.000Z' },
      ],
      newest: [{ firstName: 'Cy' }, { firstName: 'Bo' }, { firstName: 'Ada' }],
    })
  })

  it('subjects are found by name in either order, by reference and by code', async () => {
    const { request } = await setUp()
    const subjects = (await request('shoot/people')).data as ShootSubject[]
    expect(subjects.map(({ firstName }) => firstName)).toEqual(['Ada', 'Bo', 'Cy', 'Di'])
    const search = async (filter: string): Promise<string[]> => {
      const { data } = await request(`shoot/people?filter=${encodeURIComponent(filter)}`)
      return data.resultItems.map(({ firstName }: ShootSubject) => firstName)
    }
    expect(await search('ada love')).toEqual(['Ada'])
    expect(await search('Lovelace, B')).toEqual(['Bo'])
    expect(await search('ln-77')).toEqual(['Cy'])
    expect(await search('ada-lvl')).toEqual(['Ada'])
    expect(await search('%')).toEqual([])
    expect(await search('!!')).toEqual([])
  })

  it('subjects are listed by group and attendance status, in pages', async () => {
    const { request, groupId, bo, mark } = await setUp()
    await mark(bo, 'absent')
    const names = async (query: string) => {
      const { data } = await request(`shoot/people?${query}&currentPage=1&pageSize=2`)
      return [data.totalRecords, ...data.resultItems.map(({ firstName }: ShootSubject) => firstName)]
    }
    expect(await names('status=waiting')).toEqual([3, 'Ada', 'Cy'])
    expect(await names(`groupId=${groupId}`)).toEqual([2, 'Bo', 'Cy'])
    expect(await names(`groupId=${groupId}&status=absent`)).toEqual([1, 'Bo'])
    expect(await names('sort=-firstName')).toEqual([4, 'Di', 'Cy'])
  })

  it('a card finds its subject, or says why it belongs to another job', async () => {
    const { request, fixtures, deps } = await setUp()
    const { studioId, adaId } = fixtures
    for (const typed of ['ADALVL', 'ada-lvl', '%20adalvl'])
      expect((await request(`shoot/cards/${typed}`)).data).toMatchObject({
        subjectId: adaId,
        code: 'ADALVL',
        status: 'waiting',
      })
    await given(deps).job(studioId, { name: 'Fall Team', code: 'TEAM' })
    await given(deps).code(fixtures, 'SPRING')
    expect(await request('shoot/cards/TEAM')).toMatchObject({
      status: 422,
      errors: ['This card belongs to “Fall Team”, not to this job'],
    })
    expect(await request('shoot/cards/SPRING')).toMatchObject({
      status: 422,
      errors: ['This is the code of the whole job, not of one person'],
    })
    expect(await request('shoot/cards/NOBODY')).toMatchObject({
      status: 404,
      errors: ['No one in this job has this code'],
    })
  })

  it('a check-in counts once even if it is sent repeatedly and concurrently', async () => {
    const { fixtures, post, markInput, listCheckIns, deps } = await setUp()
    const body = markInput({ subjectId: fixtures.adaId, kind: 'present', firstFrame: '0421', lastFrame: ' 0424 ' })
    const answers = await Promise.all([post('shoot/marks', body), post('shoot/marks', body)])
    answers.push(await post('shoot/marks', body))
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200, data: { person: { status: 'photographed' }, before: null } })
    }
    expect(await listCheckIns()).toEqual([
      { key: body.key, subjectId: fixtures.adaId, station: '1', at: body.at, firstFrame: '0421', lastFrame: '0424' },
    ])
    expect(await deps.db.selectFrom('check_ins').select('id').execute()).toHaveLength(1)
  })

  it("a second tablet gets the first one's check-in, and both are stored", async () => {
    const { fixtures, mark, listCheckIns, advance } = await setUp()
    await mark(fixtures.adaId, 'present')
    advance(minute)
    const { data } = await mark(fixtures.adaId, 'present', { station: '2' })
    expect((data as MarkResult).before).toMatchObject({ station: '1', at: '2027-04-15T10:00:00.000Z' })
    expect((await listCheckIns()).map(({ station }) => station)).toEqual(['1', '2'])
  })

  it('check-ins are listed by station and time, including late ones, without other marks', async () => {
    const { fixtures, bo, cy, di, mark, listCheckIns, clock, advance } = await setUp()
    const tenOClock = clock().toISOString()
    advance(10 * minute)
    await mark(bo, 'present', { firstFrame: '0002' })
    await mark(cy, 'absent')
    await mark(fixtures.adaId, 'present', { at: tenOClock, firstFrame: '0001' })
    await mark(di, 'present', { station: 'B', at: '2031-01-01T00:00:00.000Z' })
    const rows = (await listCheckIns()).map(({ subjectId, station, firstFrame }) => [subjectId, station, firstFrame])
    expect(rows).toEqual([
      [fixtures.adaId, '1', '0001'],
      [bo, '1', '0002'],
      [di, 'B', null],
    ])
    // A check-in by a tablet whose clock is ahead counts from the time it is received.
    expect((await listCheckIns('station=B')).map(({ at }) => at)).toEqual(['2027-04-15T10:10:00.000Z'])
  })

  it('a subject with a retake does not count as photographed until the next check-in', async () => {
    const { fixtures, mark, readShoot, advance, listCheckIns } = await setUp()
    for (const [kind, counts] of [
      ['present', { photographed: 1, retake: 0 }],
      ['retake', { photographed: 0, retake: 1 }],
      ['present', { photographed: 1, retake: 0 }],
    ] as const) {
      await mark(fixtures.adaId, kind, { note: 'eyes closed' })
      expect((await readShoot()).counts).toMatchObject(counts)
      advance(minute)
    }
    expect(await listCheckIns()).toHaveLength(2)
  })

  it.each(['present', 'absent', 'retake'])('a mark %s can be undone once, with an audit entry', async (kind) => {
    const { fixtures, mark, post, readShoot, listCheckIns, deps, advance } = await setUp()
    await mark(fixtures.adaId, 'present')
    advance(minute)
    const { data } = await mark(fixtures.adaId, kind)
    const { key } = (data as MarkResult).person.mark ?? { key: '' }
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await post(`shoot/marks/${key}/undo`)).toMatchObject({ status: 200, data: { status: 'photographed' } })
    }
    expect(await listCheckIns()).toHaveLength(1)
    expect((await readShoot()).counts.photographed).toBe(1)
    const auditEntries = await deps.db.selectFrom('audit_log').select(['action', 'entity_id']).execute()
    expect(auditEntries).toEqual([{ action: 'check-in.undone', entity_id: key }])
  })

  it('an undone check-in stays undone when it is sent again', async () => {
    const { fixtures, post, markInput, readShoot } = await setUp()
    const body = markInput({ subjectId: fixtures.adaId, kind: 'present' })
    await post('shoot/marks', body)
    await post(`shoot/marks/${body.key}/undo`)
    expect(await post('shoot/marks', body)).toMatchObject({ status: 200, data: { person: { status: 'waiting' } } })
    expect((await readShoot()).counts.photographed).toBe(0)
  })

  it('frames and note of a mark can be corrected', async () => {
    const { fixtures, mark, staffRequest, listCheckIns } = await setUp()
    const { data } = await mark(fixtures.adaId, 'present', { firstFrame: '0421' })
    const { key } = (data as MarkResult).person.mark ?? { key: '' }
    const path = `jobs/${fixtures.jobId}/shoot/marks/${key}`
    expect(await staffRequest('PATCH', path, { lastFrame: '0425', note: ' blinked ' })).toMatchObject({
      status: 200,
      data: { mark: { firstFrame: '0421', lastFrame: '0425', note: 'blinked' } },
    })
    await staffRequest('PATCH', path, { firstFrame: '' })
    expect(await listCheckIns()).toMatchObject([{ firstFrame: null, lastFrame: '0425' }])
  })

  it('a walk-up is added to the list once with a new code and checked in', async () => {
    const { post, markInput, readShoot, deps } = await setUp()
    const body = markInput({ firstName: ' Éve ', lastName: 'O’Hara', groupName: 'grade 3', code: '' })
    const answers = await Promise.all([post('shoot/walk-ups', body), post('shoot/walk-ups', body)])
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 200,
        data: { person: { firstName: 'Éve', lastName: 'O’Hara', groups: ['Grade 3'], status: 'photographed' } },
      })
      expect(answer.data.person.code).toMatch(/^[A-Z2-9]{8}$/)
    }
    expect((await readShoot()).counts).toMatchObject({ waiting: 4, photographed: 1 })
    const subjects = await deps.db
      .selectFrom('subjects')
      .select(['first_key', 'last_key'])
      .where('first_name', '=', 'Éve')
      .execute()
    expect(subjects).toEqual([{ first_key: 'eve', last_key: 'ohara' }])
    const auditEntries = await deps.db.selectFrom('audit_log').select('action').execute()
    expect(auditEntries).toEqual([{ action: 'subject.walked-up' }])
  })

  it('a walk-up can get the code of a spare card and a new group, and invalid input is refused', async () => {
    const { post, markInput, request, readShoot } = await setUp()
    const eve = {
      firstName: 'Eve',
      lastName: 'Young',
      groupName: 'Siblings',
      code: 'https://x.test/riverside/code/SPARE7',
    }
    expect(await post('shoot/walk-ups', markInput(eve))).toMatchObject({
      status: 200,
      data: { person: { code: 'SPARE7' } },
    })
    expect((await request('shoot/cards/SPARE7')).data).toMatchObject({ firstName: 'Eve', groups: ['Siblings'] })
    expect((await readShoot()).groups.map(({ name }) => name)).toEqual(['Grade 3', 'Siblings', ''])
    for (const [overrides, fields] of [
      [{ firstName: ' ' }, { firstName: ['This field is required'] }],
      [{ lastName: '' }, { lastName: ['This field is required'] }],
      [{ code: 'SPARE7' }, { code: ['This code already belongs to someone else'] }],
      [{ code: '?!' }, { code: ['A code has 4 to 12 letters and digits'] }],
    ] as const)
      expect(await post('shoot/walk-ups', markInput({ ...eve, code: '', ...overrides }))).toMatchObject({
        status: 422,
        fields,
      })
  })

  it('archived jobs and subjects of another job are refused', async () => {
    const { deps, fixtures, mark, post, markInput } = await setUp()
    const { jobId: id } = await given(deps).job(fixtures.studioId, { name: 'Other' })
    await deps.db.updateTable('subjects').set({ job_id: id }).where('first_name', '=', 'Di').execute()
    const di = await deps.db
      .selectFrom('subjects')
      .select('id')
      .where('first_name', '=', 'Di')
      .executeTakeFirstOrThrow()
    expect((await mark(di.id, 'present')).status).toBe(404)
    await deps.db.updateTable('jobs').set({ archived_at: new Date() }).execute()
    expect(await mark(fixtures.adaId, 'present')).toMatchObject({
      status: 422,
      errors: ['This job is archived. Restore it first'],
    })
    expect(
      (await post('shoot/walk-ups', markInput({ firstName: 'E', lastName: 'Y', groupName: '', code: '' }))).status,
    ).toBe(422)
    expect(await deps.db.selectFrom('check_ins').select('id').execute()).toEqual([])
  })

  it('shoots of another studio are not found', async () => {
    const { deps, app, fixtures, mark } = await setUp()
    const { data } = await mark(fixtures.adaId, 'present')
    const summit = await createCartFixtures(deps, 'summit')
    const { staffRequest } = await staffClient(deps, app, summit.studioId)
    const { key } = (data as MarkResult).person.mark ?? { key: '' }
    const otherStudioPath = `jobs/${fixtures.jobId}`
    const answers = await Promise.all([
      staffRequest('GET', `${otherStudioPath}/shoot`),
      staffRequest('GET', `${otherStudioPath}/shoot/people`),
      staffRequest('GET', `${otherStudioPath}/check-ins`),
      staffRequest('POST', `${otherStudioPath}/shoot/marks/${key}/undo`, {}),
      staffRequest('PATCH', `${otherStudioPath}/shoot/marks/${key}`, { note: 'Mine' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect(await deps.db.selectFrom('check_ins').select('id').where('undone_at', 'is', null).execute()).toHaveLength(1)
  })
})
