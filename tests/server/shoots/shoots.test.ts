import { describe, expect, it } from 'vitest'
import type { CheckIn, MarkResult, Shoot, ShootSubject } from '#contract/studio/shoots.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { createCartFixtures, newUuid } from '../carts/cart-fixtures.ts'

const minute = 60_000

describe.each(enginesFor(import.meta.filename))('shoots on $name', (engine) => {
  const database = freshDatabase(engine)

  /** Ada with a code, Bo and Cy in a group, Di in none; it is ten o'clock. */
  const begin = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const shop = await createCartFixtures(deps)
    const { studioId, jobId, adaId } = shop
    const bo = await shop.giveSubject('Bo')
    const cy = await shop.giveSubject('Cy')
    const di = await shop.giveSubject('Di')
    const group = { studio_id: studioId, job_id: jobId, name: 'Grade 3' }
    const { id: groupId } = await deps.db.insertInto('groups').values(group).returning('id').executeTakeFirstOrThrow()
    for (const subject_id of [bo, cy])
      await deps.db
        .insertInto('subject_groups')
        .values({ studio_id: studioId, subject_id, group_id: groupId })
        .execute()
    const code = { studio_id: studioId, job_id: jobId, subject_id: adaId, code: 'ADALVL' }
    await deps.db.insertInto('access_codes').values(code).execute()
    await deps.db.updateTable('subjects').set({ reference: 'LN-77' }).where('id', '=', cy).execute()
    const { tell } = await staffClient(deps, app, studioId)
    const ask = (path: string) => tell('GET', `jobs/${jobId}/${path}`)
    const post = (path: string, body: object = {}) => tell('POST', `jobs/${jobId}/${path}`, body)
    const now = () => time.clock().toISOString()
    const markInput = (own: object = {}) => ({ key: newUuid(), at: now(), station: '1', ...own })
    const mark = (subjectId: number, kind: string, own: object = {}) =>
      post('shoot/marks', markInput({ subjectId, kind, ...own }))
    const shoot = async () => (await ask('shoot')).data as Shoot
    const checkIns = async (query = '') => (await ask(`check-ins?${query}`)).data as CheckIn[]
    return { ...time, deps, app, shop, bo, cy, di, groupId, tell, ask, post, told: markInput, mark, shoot, checkIns }
  }

  it('a shoot counts photographed and waiting subjects, in total and by group', async () => {
    const { shop, bo, cy, groupId, mark, shoot, advance } = await begin()
    await mark(shop.adaId, 'present')
    advance(minute)
    await mark(bo, 'present', { station: '2' })
    advance(minute)
    await mark(cy, 'absent')
    expect(await shoot()).toMatchObject({
      jobName: 'Spring Portraits',
      counts: { waiting: 1, photographed: 2, absent: 1, again: 0 },
      groups: [
        { groupId, name: 'Grade 3', counts: { waiting: 0, photographed: 1, absent: 1, again: 0 } },
        { groupId: null, name: '', counts: { waiting: 1, photographed: 1, absent: 0, again: 0 } },
      ],
      stations: [
        { name: '1', checkIns: 1, lastAt: '2027-04-15T10:00:00.000Z' },
        { name: '2', checkIns: 1, lastAt: '2027-04-15T10:01:00.000Z' },
      ],
      newest: [{ firstName: 'Cy' }, { firstName: 'Bo' }, { firstName: 'Ada' }],
    })
  })

  it('subjects are found by name in either order, by reference and by code', async () => {
    const { ask } = await begin()
    const all = (await ask('shoot/people')).data as ShootSubject[]
    expect(all.map(({ firstName }) => firstName)).toEqual(['Ada', 'Bo', 'Cy', 'Di'])
    const found = async (filter: string): Promise<string[]> => {
      const { data } = await ask(`shoot/people?filter=${encodeURIComponent(filter)}`)
      return data.resultItems.map(({ firstName }: ShootSubject) => firstName)
    }
    expect(await found('ada love')).toEqual(['Ada'])
    expect(await found('Lovelace, B')).toEqual(['Bo'])
    expect(await found('ln-77')).toEqual(['Cy'])
    expect(await found('ada-lvl')).toEqual(['Ada'])
    expect(await found('%')).toEqual([])
    expect(await found('!!')).toEqual([])
  })

  it('subjects are listed by group and attendance status, in pages', async () => {
    const { ask, groupId, bo, mark } = await begin()
    await mark(bo, 'absent')
    const names = async (query: string) => {
      const { data } = await ask(`shoot/people?${query}&currentPage=1&pageSize=2`)
      return [data.totalRecords, ...data.resultItems.map(({ firstName }: ShootSubject) => firstName)]
    }
    expect(await names('standing=waiting')).toEqual([3, 'Ada', 'Cy'])
    expect(await names(`groupId=${groupId}`)).toEqual([2, 'Bo', 'Cy'])
    expect(await names(`groupId=${groupId}&standing=absent`)).toEqual([1, 'Bo'])
    expect(await names('sort=-firstName')).toEqual([4, 'Di', 'Cy'])
  })

  it('a card finds its subject, or says why it belongs to another job', async () => {
    const { ask, shop, deps } = await begin()
    const { studioId, adaId } = shop
    for (const typed of ['ADALVL', 'ada-lvl', '%20adalvl'])
      expect((await ask(`shoot/cards/${typed}`)).data).toMatchObject({
        subjectId: adaId,
        code: 'ADALVL',
        standing: 'waiting',
      })
    const other = { studio_id: studioId, name: 'Fall Team' }
    const { id } = await deps.db.insertInto('jobs').values(other).returning('id').executeTakeFirstOrThrow()
    await deps.db
      .insertInto('access_codes')
      .values([
        { studio_id: studioId, job_id: id, code: 'TEAM' },
        { studio_id: studioId, job_id: shop.jobId, code: 'SPRING' },
      ])
      .execute()
    expect(await ask('shoot/cards/TEAM')).toMatchObject({
      status: 422,
      errors: ['This card belongs to “Fall Team”, not to this job'],
    })
    expect(await ask('shoot/cards/SPRING')).toMatchObject({
      status: 422,
      errors: ['This is the code of the whole job, not of one person'],
    })
    expect(await ask('shoot/cards/NOBODY')).toMatchObject({ status: 404, errors: ['Nobody of this job has this code'] })
  })

  it('a check-in counts once, however often and from however many tablets it is sent', async () => {
    const { shop, post, told: markInput, checkIns, deps } = await begin()
    const body = markInput({ subjectId: shop.adaId, kind: 'present', firstFrame: '0421', lastFrame: ' 0424 ' })
    const answers = await Promise.all([post('shoot/marks', body), post('shoot/marks', body)])
    answers.push(await post('shoot/marks', body))
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200, data: { person: { standing: 'photographed' }, before: null } })
    }
    expect(await checkIns()).toEqual([
      { key: body.key, subjectId: shop.adaId, station: '1', at: body.at, firstFrame: '0421', lastFrame: '0424' },
    ])
    expect(await deps.db.selectFrom('check_ins').select('id').execute()).toHaveLength(1)
  })

  it("a second tablet gets the first one's check-in, and both are stored", async () => {
    const { shop, mark, checkIns, advance } = await begin()
    await mark(shop.adaId, 'present')
    advance(minute)
    const { data } = await mark(shop.adaId, 'present', { station: '2' })
    expect((data as MarkResult).before).toMatchObject({ station: '1', at: '2027-04-15T10:00:00.000Z' })
    expect((await checkIns()).map(({ station }) => station)).toEqual(['1', '2'])
  })

  it('check-ins are listed by station and time, including late ones, without other marks', async () => {
    const { shop, bo, cy, di, mark, checkIns, clock, advance } = await begin()
    const ten = clock().toISOString()
    advance(10 * minute)
    await mark(bo, 'present', { firstFrame: '0002' })
    await mark(cy, 'absent')
    await mark(shop.adaId, 'present', { at: ten, firstFrame: '0001' })
    await mark(di, 'present', { station: 'B', at: '2031-01-01T00:00:00.000Z' })
    const rows = (await checkIns()).map(({ subjectId, station, firstFrame }) => [subjectId, station, firstFrame])
    expect(rows).toEqual([
      [shop.adaId, '1', '0001'],
      [bo, '1', '0002'],
      [di, 'B', null],
    ])
    // A check-in by a tablet whose clock is ahead counts from the time it is received.
    expect((await checkIns('station=B')).map(({ at }) => at)).toEqual(['2027-04-15T10:10:00.000Z'])
  })

  it('a subject with a retake is waiting until the next check-in', async () => {
    const { shop, mark, shoot, advance, checkIns } = await begin()
    for (const [kind, counts] of [
      ['present', { photographed: 1, again: 0 }],
      ['retake', { photographed: 0, again: 1 }],
      ['present', { photographed: 1, again: 0 }],
    ] as const) {
      await mark(shop.adaId, kind, { note: 'eyes closed' })
      expect((await shoot()).counts).toMatchObject(counts)
      advance(minute)
    }
    expect(await checkIns()).toHaveLength(2)
  })

  it.each(['present', 'absent', 'retake'])('a mark %s can be undone once, with an audit entry', async (kind) => {
    const { shop, mark, post, shoot, checkIns, deps, advance } = await begin()
    await mark(shop.adaId, 'present')
    advance(minute)
    const { data } = await mark(shop.adaId, kind)
    const { key } = (data as MarkResult).person.mark ?? { key: '' }
    for (let again = 0; again < 2; again += 1) {
      expect(await post(`shoot/marks/${key}/undo`)).toMatchObject({ status: 200, data: { standing: 'photographed' } })
    }
    expect(await checkIns()).toHaveLength(1)
    expect((await shoot()).counts.photographed).toBe(1)
    const trail = await deps.db.selectFrom('audit_log').select(['action', 'entity_id']).execute()
    expect(trail).toEqual([{ action: 'check-in.undone', entity_id: key }])
  })

  it('an undone check-in stays undone when it is sent again', async () => {
    const { shop, post, told: markInput, shoot } = await begin()
    const body = markInput({ subjectId: shop.adaId, kind: 'present' })
    await post('shoot/marks', body)
    await post(`shoot/marks/${body.key}/undo`)
    expect(await post('shoot/marks', body)).toMatchObject({ status: 200, data: { person: { standing: 'waiting' } } })
    expect((await shoot()).counts.photographed).toBe(0)
  })

  it('frames and note of a mark can be corrected', async () => {
    const { shop, mark, tell, checkIns } = await begin()
    const { data } = await mark(shop.adaId, 'present', { firstFrame: '0421' })
    const { key } = (data as MarkResult).person.mark ?? { key: '' }
    const path = `jobs/${shop.jobId}/shoot/marks/${key}`
    expect(await tell('PATCH', path, { lastFrame: '0425', note: ' blinked ' })).toMatchObject({
      status: 200,
      data: { mark: { firstFrame: '0421', lastFrame: '0425', note: 'blinked' } },
    })
    await tell('PATCH', path, { firstFrame: '' })
    expect(await checkIns()).toMatchObject([{ firstFrame: null, lastFrame: '0425' }])
  })

  it('a walk-up is added to the list once with a new code and checked in', async () => {
    const { post, told: markInput, shoot, deps } = await begin()
    const body = markInput({ firstName: ' Éve ', lastName: 'O’Hara', groupName: 'grade 3', code: '' })
    const answers = await Promise.all([post('shoot/walk-ups', body), post('shoot/walk-ups', body)])
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 200,
        data: { person: { firstName: 'Éve', lastName: 'O’Hara', groups: ['Grade 3'], standing: 'photographed' } },
      })
      expect(answer.data.person.code).toMatch(/^[A-Z2-9]{8}$/)
    }
    expect((await shoot()).counts).toMatchObject({ waiting: 4, photographed: 1 })
    const made = await deps.db
      .selectFrom('subjects')
      .select(['first_key', 'last_key'])
      .where('first_name', '=', 'Éve')
      .execute()
    expect(made).toEqual([{ first_key: 'eve', last_key: 'ohara' }])
    const trail = await deps.db.selectFrom('audit_log').select('action').execute()
    expect(trail).toEqual([{ action: 'subject.walked-up' }])
  })

  it('a walk-up can get the code of a spare card and a new group, and invalid input is refused', async () => {
    const { post, told: markInput, ask, shoot } = await begin()
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
    expect((await ask('shoot/cards/SPARE7')).data).toMatchObject({ firstName: 'Eve', groups: ['Siblings'] })
    expect((await shoot()).groups.map(({ name }) => name)).toEqual(['Grade 3', 'Siblings', ''])
    for (const [own, fields] of [
      [{ firstName: ' ' }, { firstName: ['This field is required'] }],
      [{ lastName: '' }, { lastName: ['This field is required'] }],
      [{ code: 'SPARE7' }, { code: ['This code is somebody else’s already'] }],
      [{ code: '?!' }, { code: ['A code has 4 to 12 letters and digits'] }],
    ] as const)
      expect(await post('shoot/walk-ups', markInput({ ...eve, code: '', ...own }))).toMatchObject({
        status: 422,
        fields,
      })
  })

  it('archived jobs and subjects of another job are refused', async () => {
    const { deps, shop, mark, post, told: markInput } = await begin()
    const { id } = await deps.db
      .insertInto('jobs')
      .values({ studio_id: shop.studioId, name: 'Other' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await deps.db.updateTable('subjects').set({ job_id: id }).where('first_name', '=', 'Di').execute()
    const di = await deps.db
      .selectFrom('subjects')
      .select('id')
      .where('first_name', '=', 'Di')
      .executeTakeFirstOrThrow()
    expect((await mark(di.id, 'present')).status).toBe(404)
    await deps.db.updateTable('jobs').set({ archived_at: new Date() }).execute()
    expect(await mark(shop.adaId, 'present')).toMatchObject({
      status: 422,
      errors: ['This job is archived. Restore it first'],
    })
    expect(
      (await post('shoot/walk-ups', markInput({ firstName: 'E', lastName: 'Y', groupName: '', code: '' }))).status,
    ).toBe(422)
    expect(await deps.db.selectFrom('check_ins').select('id').execute()).toEqual([])
  })

  it('shoots of another studio are not found', async () => {
    const { deps, app, shop, mark } = await begin()
    const { data } = await mark(shop.adaId, 'present')
    const summit = await createCartFixtures(deps, 'summit')
    const { tell } = await staffClient(deps, app, summit.studioId)
    const { key } = (data as MarkResult).person.mark ?? { key: '' }
    const theirs = `jobs/${shop.jobId}`
    const statuses = await Promise.all([
      tell('GET', `${theirs}/shoot`),
      tell('GET', `${theirs}/shoot/people`),
      tell('GET', `${theirs}/check-ins`),
      tell('POST', `${theirs}/shoot/marks/${key}/undo`, {}),
      tell('PATCH', `${theirs}/shoot/marks/${key}`, { note: 'Mine' }),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect(await deps.db.selectFrom('check_ins').select('id').where('undone_at', 'is', null).execute()).toHaveLength(1)
  })
})
