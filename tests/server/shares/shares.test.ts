import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { getSubject, listImages, listPackages } from '#contract/customer/discovery-calls.ts'
import { openSession } from '#contract/customer/session-calls.ts'
import { maxActiveShares } from '#contract/customer/share-calls.ts'
import type { Permission } from '#contract/shapes/call.ts'
import { inTransaction } from '#server/database/database.ts'
import { purgeShares } from '#server/shares/share-counts.ts'
import { hideSubjects } from '#server/subjects/subject-visibility.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { addOrder } from '#tests/server/discovery/job-fixtures.ts'
import { shareDriver } from './share-driver.ts'

const ended = { status: 404, problem: 'not-found', errors: ['This link has ended. Ask for a new one'] }

describe.each(enginesFor(import.meta.filename))('shares on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = () => shareDriver(database())

  it('anyone with the link sees the chosen images as previews, with the first name and the last day', async () => {
    const { share, open, visitor, list, ids } = await setUp()
    const { status, data } = await share([ids.second, ids.first, ids.first])
    expect(status).toBe(200)
    const expected = { imageCount: 2, createdOn: '2027-04-15', expiresOn: '2027-04-29' }
    expect(data.share).toMatchObject({ ...expected, viewCount: 0 })
    expect(data.token).toMatch(/^[\w-]{22}$/)
    const shared = await open(data.token)
    expect(shared.data).toEqual({
      studioSlug: 'riverside',
      studioName: 'Riverside Portraits',
      firstName: 'Ada',
      expiresOn: '2027-04-29',
      images: [ids.first, ids.second].map((id) => ({
        id,
        width: 200,
        height: 250,
        previewUrl: expect.stringMatching(
          new RegExp(`^/photos/shared/riverside/${data.token}/${id}/preview-[0-9a-f]{16}$`),
        ),
      })),
    })
    for (const suffix of ['', '-900']) {
      const answer = await visitor.get(`${shared.data.images[0].previewUrl}${suffix}`)
      expect(answer.headers).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'private, no-store' })
      expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width: 200, height: 250 })
    }
    expect(await list()).toMatchObject([{ ...expected, viewCount: 1 }])
  })

  it('a viewer gets no session, and a share that a browser opens repeatedly is counted once', async () => {
    const { share, list, ids, visitor } = await setUp()
    const { token } = (await share([ids.first])).data
    const url = `/api/customer/studios/riverside/shared/${token}`
    const { cookies } = await visitor.get(url)
    expect(cookies).toEqual([
      { name: 'fieldproof_viewed', value: expect.any(String), path: url, httpOnly: true, sameSite: 'Lax' },
    ])
    expect((await visitor.get(url, { cookie: `fieldproof_viewed=${cookies[0]?.value}` })).statusCode).toBe(200)
    expect(await list()).toMatchObject([{ viewCount: 1 }])
    await visitor.get(url)
    expect(await list()).toMatchObject([{ viewCount: 2 }])
    expect(visitor.hasCookie()).toBe(false)
  })

  it('the cookie of a share is sent with its link, whatever follows the path, and a rejected request is not counted', async () => {
    const { share, list, ids, visitor } = await setUp()
    const { token } = (await share([ids.first])).data
    const path = `/api/customer/studios/riverside/shared/${token}`
    for (const query of ['?', '?&'])
      expect(await visitor.get(`${path}${query}`)).toMatchObject({ statusCode: 200, cookies: [{ path }] })
    for (const query of ['?a=1', '?a=1;b'])
      expect(await visitor.get(`${path}${query}`)).toMatchObject({ statusCode: 400, cookies: [] })
    expect(await list()).toMatchObject([{ viewCount: 2 }])
  })

  it('only the hash of the token is stored', async () => {
    const { shareBoth, deps } = await setUp()
    const { token } = await shareBoth()
    const rows = await deps.db.selectFrom('image_shares').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('a stopped share, an expired one and a wrong link are the same, and their images are gone', async () => {
    const { shareBoth, open, stop, statusOf, advanceDays, list } = await setUp()
    const stopped = await shareBoth()
    const expired = await shareBoth()
    expect(await Promise.all([...stopped.urls, ...expired.urls].map(statusOf))).toEqual([200, 200, 200, 200])
    expect((await stop(stopped.id)).data.shares).toMatchObject([{ id: expired.id }])
    expect(await open(stopped.token)).toEqual(ended)
    expect(await Promise.all([...stopped.urls, ...expired.urls].map(statusOf))).toEqual([404, 404, 200, 200])
    expect((await stop(stopped.id)).status).toBe(200)
    advanceDays(13.9)
    expect((await open(expired.token)).status).toBe(200)
    advanceDays(0.1)
    expect(await open(expired.token)).toEqual(ended)
    expect(await Promise.all(expired.urls.map(statusOf))).toEqual([404, 404])
    expect(await list()).toEqual([])
    for (const token of ['A'.repeat(22), 'short', `${expired.token}A`]) expect(await open(token)).toEqual(ended)
    expect(await open(stopped.token, 'summit')).toEqual(ended)
  })

  it('a share gives its viewer no access to the subject, the job or another image', async () => {
    const { shareBoth, share, open, visitor, spring, ada, ids, view, statusOf, deps } = await setUp()
    const { token } = await shareBoth()
    const grants = () => deps.db.selectFrom('session_grants').selectAll().execute()
    const before = await grants()
    await visitor.request(openSession, { body: {} })
    await open(token)
    const params = { jobId: spring.jobId, subjectId: ada }
    expect(await visitor.request(listImages, { params })).toMatchObject({ status: 403, problem: 'code-needed' })
    expect(await visitor.request(getSubject, { params })).toMatchObject({ status: 403, problem: 'code-needed' })
    const packages = { params: { jobId: spring.jobId }, query: { orderMethod: 'gallery' } }
    expect(await visitor.request(listPackages, packages)).toMatchObject({ status: 403, problem: 'code-needed' })
    expect(await share([ids.first], { by: visitor })).toMatchObject({ status: 403, problem: 'code-needed' })
    expect(await grants()).toEqual(before)
    const one = (await share([ids.first])).data.token
    const [url = ''] = (await view(one)).urls
    const other = (await view(token)).urls[1] ?? ''
    expect(await statusOf(url)).toBe(200)
    expect(await statusOf(other.replace(token, one))).toBe(404)
    expect(await statusOf(url.replace(/preview-/, 'thumb-'))).toBe(404)
    expect(await statusOf(url.replace(/preview-.*/, `preview-${'0'.repeat(16)}`))).toBe(404)
  })

  it('a session shares only images of the subject alone that it may see', async () => {
    const { share, enter, ids, ben, jobs, list } = await setUp()
    for (const id of [ids.unpublished, ids.ofBen, ids.ofGroup, 999_999])
      expect(await share([ids.first, id])).toMatchObject({ status: 422, problem: 'refused' })
    expect(await share([ids.ofBen], { subjectId: ben })).toMatchObject({ status: 403, problem: 'grant-needed' })
    expect(await share([ids.first], { subjectId: jobs.hidden })).toMatchObject({ status: 404, problem: 'not-found' })
    expect(await share([ids.first], { by: await enter('SPRING') })).toMatchObject({ problem: 'grant-needed' })
    expect(await share([])).toMatchObject({ status: 400 })
    expect(await list()).toEqual([])
  })

  it('another session neither sees nor stops a share', async () => {
    const { shareBoth, enter, stop, list, open } = await setUp()
    const { token, id } = await shareBoth()
    const stranger = await enter('ADALVL')
    expect(await list(stranger)).toEqual([])
    expect(await stop(id, stranger)).toMatchObject({ status: 404, problem: 'not-found' })
    expect((await open(token)).status).toBe(200)
  })

  it('a share no longer shows an image that was withdrawn, replaced or moved to another subject', async () => {
    const { shareBoth, view, set, ids, statusOf, deps, ben } = await setUp()
    const { token, urls } = await shareBoth()
    for (const change of [
      { published_at: null },
      { superseded_at: deps.clock() },
      { subject_id: ben },
      { state: 'processing' },
    ]) {
      const [before] = await deps.db.selectFrom('image_lookups').selectAll().where('id', '=', ids.first).execute()
      await set('image_lookups', ids.first, change)
      expect((await view(token)).urls).toEqual([urls[1]])
      expect(await statusOf(urls[0])).toBe(404)
      const { published_at, superseded_at, subject_id, state } = before ?? {}
      await set('image_lookups', ids.first, { published_at, superseded_at, subject_id, state })
    }
    expect((await view(token)).urls).toEqual(urls)
    await set('image_lookups', ids.first, { published_at: null })
    await set('image_lookups', ids.second, { published_at: null })
    expect((await view(token)).status).toBe(404)
  })

  it('a share of a hidden subject ends, and stays ended when the subject is shown again', async () => {
    const { shareBoth, view, set, statusOf, deps, studioId, ada } = await setUp()
    const { token, urls } = await shareBoth()
    await inTransaction(deps.db, (tx) => hideSubjects(tx, deps, { studioId, subjectIds: [ada] }))
    expect([(await view(token)).status, await statusOf(urls[0])]).toEqual([404, 404])
    await set('subjects', ada, { hidden_at: null })
    expect([(await view(token)).status, await statusOf(urls[0])]).toEqual([404, 404])
  })

  it('a share works only while the job, the studio and its setting allow it', async () => {
    const { shareBoth, share, view, set, statusOf, studioId, spring, deps, ids } = await setUp()
    const { token, urls } = await shareBoth()
    const past = new Date(deps.clock().getTime() - 1000)
    for (const [table, id, on, off] of [
      ['studios', studioId, { is_sharing_enabled: true }, { is_sharing_enabled: false }],
      ['studios', studioId, { rspo_enabled: true }, { rspo_enabled: false }],
      ['studios', studioId, { is_millers_verified: true }, { is_millers_verified: false }],
      ['jobs', spring.jobId, { published_at: past }, { published_at: null }],
      ['jobs', spring.jobId, { archived_at: null }, { archived_at: past }],
      ['jobs', spring.jobId, { gallery_expires_on: null }, { gallery_expires_on: '2027-04-14' }],
    ] as const) {
      await set(table, id, off)
      expect([off, (await view(token)).status, await statusOf(urls[0])]).toEqual([off, 404, 404])
      expect((await share([ids.first])).status).not.toBe(200)
      await set(table, id, on)
      expect([on, (await view(token)).status, await statusOf(urls[0])]).toEqual([on, 200, 200])
    }
  })

  it('a share ends with the session that made it', async () => {
    const { shareBoth, view, statusOf, deps } = await setUp()
    const { token, urls } = await shareBoth()
    await deps.db.updateTable('customer_sessions').set({ finished_at: deps.clock() }).execute()
    expect([(await view(token)).status, await statusOf(urls[0])]).toEqual([404, 404])
  })

  it('a job that shows no names under its images shares none', async () => {
    const { shareBoth, open, set, spring } = await setUp()
    const { token } = await shareBoth()
    const preferences = { namesOnThumbnails: false, pricesBeforePose: true, orderByCountdown: true, contact: true }
    await set('jobs', spring.jobId, { preferences: JSON.stringify(preferences) })
    expect((await open(token)).data.firstName).toBeNull()
  })

  it('a session has at most twenty links at a time', async () => {
    const { share, stop, list, ids } = await setUp()
    for (let count = 0; count < maxActiveShares; count += 1) expect((await share([ids.first])).status).toBe(200)
    expect(await share([ids.first])).toMatchObject({ status: 422, problem: 'refused' })
    const [newest] = await list()
    await stop(newest.id)
    expect((await share([ids.first])).status).toBe(200)
  })

  it('wrong links are counted per address as guesses', async () => {
    const { open, deps } = await setUp()
    await open('A'.repeat(22))
    const counts = await deps.db.selectFrom('guess_counters').selectAll().execute()
    expect(JSON.stringify(counts)).toContain('share 198.51.100.7')
  })

  it('staff see the orders for the same child within fourteen days of an opened link, and their amount if they see money', async () => {
    const { share, open, ids, deps, app, jobs, studioId, spring, ada, ben } = await setUp()
    const finance = ['studio.crud', 'studio.financials.read'] as const
    const { staffRequest } = await staffClient(deps, app, studioId, { permissions: finance })
    const read = async (path: string, permissions: readonly Permission[] = finance) => {
      const { orderCount, orderedCents } = (await staffRequest('GET', path, undefined, { permissions })).data
      return [orderCount, orderedCents]
    }
    const { id: order_service_id } = await deps.db
      .insertInto('order_services')
      .values({ kind: 'service', name: 'Gift box', price_cents: 300, position: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const sharedAt = deps.clock().getTime()
    let orderCount = 0
    const order = async (subjectIds: readonly number[], days: number, state: 'placed' | 'cancelled' = 'placed') => {
      orderCount += 1
      const placed_at = new Date(sharedAt + days * 24 * 60 * 60 * 1000)
      const columns = { order_number: `FP-0000000${orderCount}`, state, placed_at, total_cents: 1000 }
      const order_id = await addOrder(deps, spring, columns)
      const line = { studio_id: studioId, order_id, kind: 'service' as const, order_service_id, name: 'Gift box' }
      const price = { quantity: 1, unit_cents: 0, amount_cents: 0, snapshot: '{}' }
      await deps.db
        .insertInto('order_lines')
        .values(subjectIds.map((subject_id, position) => ({ ...line, ...price, position, subject_id })))
        .execute()
    }
    const { token } = (await share([ids.first])).data
    await share([ids.second])
    await order([ada, ada, ben], 1)
    expect(await read('shares')).toEqual([0, 0])
    await open(token)
    expect(await read('shares')).toEqual([1, 1000])
    await order([ada], 13.9)
    await order([ada], -1)
    await order([ada], 14)
    await order([ada], 2, 'cancelled')
    await order([ben], 2)
    expect(await read('shares')).toEqual([2, 2000])
    expect(await read(`jobs/${spring.jobId}/shares`)).toEqual([2, 2000])
    expect(await read(`jobs/${spring.jobId}/shares`, ['studio.crud'])).toEqual([2, null])
    expect(await read(`jobs/${jobs.team.jobId}/shares`)).toEqual([0, 0])
  })

  it('the studio counts links and views of the last thirty days, and shares are deleted thirty days after they expired', async () => {
    const { shareBoth, stop, deps, app, studioId, spring, jobs, advanceDays } = await setUp()
    const { staffRequest } = await staffClient(deps, app, studioId)
    const counts = async (path = 'shares') => (await staffRequest('GET', path)).data
    const none = { linkCount: 0, viewCount: 0, activeCount: 0, orderCount: 0, orderedCents: null }
    expect(await counts()).toEqual(none)
    await shareBoth()
    await stop((await shareBoth()).id)
    expect(await counts()).toEqual({ ...none, linkCount: 2, viewCount: 2, activeCount: 1 })
    expect(await counts(`jobs/${spring.jobId}/shares`)).toEqual(await counts())
    expect(await counts(`jobs/${jobs.team.jobId}/shares`)).toEqual(none)
    advanceDays(31)
    expect(await counts()).toEqual(none)
    const stored = async () => (await deps.db.selectFrom('image_share_items').select('image_id').execute()).length
    await purgeShares(deps)
    expect(await stored()).toBe(4)
    advanceDays(13)
    await purgeShares(deps)
    expect(await stored()).toBe(0)
  })

  it('staff switch sharing off and on, and customers read whether it is offered', async () => {
    const { deps, app, studioId, parent } = await setUp()
    const { staffRequest } = await staffClient(deps, app, studioId)
    const url = `/api/studioadmin/studios/${studioId}`
    const isOffered = async () => (await parent.get('/api/customer/studios/riverside')).json().data.isSharingEnabled
    expect([(await staffRequest('GET', url)).data.isSharingEnabled, await isOffered()]).toEqual([true, true])
    expect((await staffRequest('PATCH', url, { isSharingEnabled: false })).data.isSharingEnabled).toBe(false)
    expect(await isOffered()).toBe(false)
  })
})
