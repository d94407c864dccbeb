import { describe, expect, it } from 'vitest'
import { supportMessages } from '#domain/studio/support-access.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { createSupportFixtures } from './support-fixtures.ts'

const minute = 60_000
const hour = 60 * minute
const reason = 'A parent sees no photos'

describe.each(enginesFor(import.meta.filename))('support access on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = () => createSupportFixtures(database())
  const needed = { status: 403, problem: 'support-access-needed' }

  it('an administrator asks, the owners are emailed, and with the consent of one they read until it expires', async () => {
    const { own, consent, inStudio, emailOwners, robin, time, studioId } = await setUp()
    expect(await inStudio(robin, 'GET', 'jobs')).toMatchObject(needed)
    expect((await own(robin, 'GET')).data).toEqual({
      studioName: 'Riverside Portraits',
      open: null,
      asked: null,
      last: null,
    })
    const { data: asking } = await own(robin, 'POST', '/ask', { reason })
    expect(asking).toMatchObject({ open: null, asked: { state: 'asked', reason, startsAt: null, consentedBy: null } })
    expect(await inStudio(robin, 'GET', 'jobs')).toMatchObject(needed)
    const [email, ...others] = await emailOwners()
    expect(others).toEqual([])
    expect(email).toMatchObject({
      to: { email: 'olive@riverside.test' },
      subject: 'Robin asks for access to Riverside Portraits',
    })
    expect(email?.text).toContain(`/admin/studios/${studioId}/settings/support-access`)
    expect(email?.text).toContain(`Reason: ${reason}`)

    const { data: access } = await consent(robin, { hours: 8 })
    expect(access).toMatchObject({
      ...{ id: asking.asked.id, state: 'open', reason, administratorName: 'Robin', consentedBy: 'Olive' },
      ...{ startsAt: '2027-04-15T10:00:00.000Z', endsAt: '2027-04-15T18:00:00.000Z' },
    })
    expect((await own(robin, 'GET')).data).toMatchObject({ open: { id: access.id }, asked: null })
    expect((await inStudio(robin, 'GET', 'jobs')).status).toBe(200)
    time.advance(8 * hour - 1000)
    expect((await inStudio(robin, 'GET', 'jobs')).status).toBe(200)
    time.advance(1000)
    expect(await inStudio(robin, 'GET', 'jobs')).toMatchObject(needed)
    expect((await own(robin, 'GET')).data).toMatchObject({ open: null, last: { id: access.id, state: 'expired' } })
  })

  it('a written reason opens the studio for an hour, to read only, and the owners get it by email', async () => {
    const { own, inStudio, emailOwners, olive, robin, time } = await setUp()
    for (const [text, message] of [
      [' ', 'This field is required'],
      ['Because', supportMessages.fewWords],
    ])
      expect(await own(robin, 'POST', '/open', { reason: text })).toMatchObject({ fields: { reason: [message] } })
    const { data } = await own(robin, 'POST', '/open', { reason: ` ${reason} ` })
    expect(data.open).toMatchObject({ reason, mayChange: false, hasSharpPhotos: false, consentedBy: null })
    const [email] = await emailOwners()
    expect(email).toMatchObject({ subject: 'Robin has access to Riverside Portraits' })
    expect(email?.text).toContain(`Reason: ${reason}`)
    expect((await inStudio(robin, 'GET', 'jobs')).status).toBe(200)
    expect(await inStudio(robin, 'POST', 'organizations', { name: 'North', type: 'school' })).toMatchObject({
      ...{ status: 403, problem: 'not-allowed', errors: [supportMessages.readOnly] },
    })
    const { data: shown } = await inStudio(olive, 'GET', 'support-accesses')
    expect(shown.accesses).toMatchObject([{ administratorName: 'Robin', reason, state: 'open' }])
    expect(await own(robin, 'POST', '/open', { reason })).toMatchObject({ errors: [supportMessages.openAlready] })
    time.advance(hour)
    expect(await inStudio(robin, 'GET', 'jobs')).toMatchObject(needed)
  })

  it('an owner ends an access, and the next request is refused', async () => {
    const { own, consent, inStudio, olive, robin } = await setUp()
    const { data: access } = await consent(robin, { mayChange: true })
    expect((await inStudio(robin, 'GET', 'jobs')).status).toBe(200)
    const ended = await inStudio(olive, 'DELETE', `support-accesses/${access.id}`)
    expect(ended.data).toMatchObject({ state: 'ended', endedBy: 'Olive' })
    expect(await inStudio(robin, 'GET', 'jobs')).toMatchObject(needed)
    expect(await inStudio(robin, 'POST', 'organizations', { name: 'North', type: 'school' })).toMatchObject(needed)
    expect(await inStudio(olive, 'DELETE', `support-accesses/${access.id}`)).toMatchObject({
      ...{ status: 422, errors: [supportMessages.over] },
    })
    expect((await own(robin, 'GET')).data.last).toMatchObject({ state: 'ended', endedBy: 'Olive' })
  })

  it('an administrator leaves, and withdraws a request; an owner refuses one', async () => {
    const { own, consent, inStudio, olive, robin } = await setUp()
    await consent(robin)
    await own(robin, 'POST', '/ask', { reason })
    expect(await own(robin, 'POST', '/ask', { reason })).toMatchObject({ errors: [supportMessages.askedAlready] })
    expect((await own(robin, 'DELETE')).data).toMatchObject({ open: null, asked: null })
    expect(await inStudio(robin, 'GET', 'jobs')).toMatchObject(needed)
    const { data } = await own(robin, 'POST', '/ask', { reason })
    expect((await inStudio(olive, 'DELETE', `support-accesses/${data.asked.id}`)).data.state).toBe('refused')
    expect((await own(robin, 'GET')).data).toMatchObject({ asked: null, last: { state: 'refused', endedBy: 'Olive' } })
  })

  it('only owners consent: neither staff, nor an administrator with changes, nor the owner of another studio', async () => {
    const { deps, consent, inStudio, request, studioId, robin, kim } = await setUp()
    await consent(robin, { mayChange: true })
    const body = { administratorId: kim.id, hours: 24, mayChange: true, hasSharpPhotos: true }
    expect(await inStudio(robin, 'POST', 'support-accesses', body)).toMatchObject({
      status: 403,
      problem: 'not-allowed',
    })
    expect((await inStudio(robin, 'GET', 'support-accesses')).status).toBe(403)
    const otherStudioId = await given(deps).studio({ slug: 'lakeside' })
    const dana = await given(deps).user(otherStudioId, { name: 'Dana', role: 'owner' })
    expect((await inStudio(dana, 'POST', 'support-accesses', body)).status).toBe(404)
    const own = `/api/studioadmin/studios/${otherStudioId}/support-accesses`
    expect((await request(dana, 'POST', own, body)).status).toBe(200)
    // The consent of one studio opens no other.
    expect((await request(kim, 'GET', `/api/studioadmin/studios/${otherStudioId}/jobs`)).status).toBe(200)
    expect(await inStudio(kim, 'GET', 'jobs')).toMatchObject(needed)
    expect(await request(robin, 'GET', `/api/studioadmin/studios/${otherStudioId}/jobs`)).toMatchObject(needed)
    expect(
      (await deps.db.selectFrom('support_accesses').select('id').where('studio_id', '=', studioId).execute()).length,
    ).toBe(1)
  })

  it('two administrators are apart, and one who was disabled is signed out', async () => {
    const { deps, own, consent, inStudio, olive, robin, kim } = await setUp()
    await consent(robin)
    expect(await inStudio(kim, 'GET', 'jobs')).toMatchObject(needed)
    await own(kim, 'POST', '/open', { reason })
    await own(robin, 'DELETE')
    expect((await inStudio(kim, 'GET', 'jobs')).status).toBe(200)
    await deps.db.updateTable('users').set({ disabled_at: deps.clock() }).where('id', '=', kim.id).execute()
    expect((await inStudio(kim, 'GET', 'jobs')).status).toBe(401)
    expect(await consent(kim)).toMatchObject({ errors: [supportMessages.unknownAdministrator] })
    expect(await consent(olive)).toMatchObject({ errors: [supportMessages.unknownAdministrator] })
    const { data } = await inStudio(olive, 'GET', 'support-accesses')
    expect(data.administrators).toEqual([{ id: robin.id, name: 'Robin' }])
  })

  it('another consent replaces an access: its hours, and what it allows', async () => {
    const { own, consent, inStudio, robin, time } = await setUp()
    await own(robin, 'POST', '/open', { reason })
    await consent(robin, { hours: 24, mayChange: true })
    expect((await inStudio(robin, 'POST', 'organizations', { name: 'North', type: 'school' })).status).toBe(200)
    time.advance(2 * hour)
    expect((await inStudio(robin, 'GET', 'organizations')).data).toHaveLength(1)
    await consent(robin)
    expect((await inStudio(robin, 'POST', 'organizations', { name: 'South', type: 'school' })).status).toBe(403)
    time.advance(hour)
    expect(await inStudio(robin, 'GET', 'jobs')).toMatchObject(needed)
  })

  it('concurrent consents leave one open access', async () => {
    const { deps, consent, robin } = await setUp()
    await Promise.all([consent(robin), consent(robin), consent(robin)])
    const open = deps.db.selectFrom('support_accesses').select('id').where('ended_at', 'is', null)
    expect(await open.execute()).toHaveLength(1)
  })

  it('each request, consent and end, and each change inside, is in the audit trail under both names', async () => {
    const { own, consent, inStudio, request, audit, olive, robin, studioId } = await setUp()
    await own(robin, 'POST', '/ask', { reason })
    const { data: access } = await consent(robin, { mayChange: true })
    await inStudio(robin, 'GET', 'organizations')
    await inStudio(robin, 'POST', 'organizations', { name: 'North', type: 'school' })
    await inStudio(olive, 'DELETE', `support-accesses/${access.id}`)
    await own(robin, 'POST', '/ask', { reason })
    const { data } = await own(robin, 'GET')
    await inStudio(olive, 'DELETE', `support-accesses/${data.asked.id}`)
    await own(robin, 'POST', '/open', { reason })
    await own(robin, 'DELETE')
    const change = `POST /api/studioadmin/studios/${studioId}/organizations`
    expect(await audit()).toMatchObject([
      { action: 'support-access.asked', by: 'Robin', consentedBy: null, detail: { reason } },
      {
        ...{ action: 'support-access.consented', by: 'Olive', consentedBy: 'Olive' },
        detail: { administrator: 'Robin', hours: 1, mayChange: true, hasSharpPhotos: false },
      },
      { action: 'support-access.used', by: 'Robin', consentedBy: 'Olive', detail: { request: change } },
      { action: 'organization.made', by: 'Robin', consentedBy: 'Olive' },
      { action: 'support-access.ended', by: 'Olive', consentedBy: 'Olive', detail: { administrator: 'Robin' } },
      { action: 'support-access.asked', by: 'Robin' },
      { action: 'support-access.refused', by: 'Olive', detail: { administrator: 'Robin' } },
      { action: 'support-access.opened', by: 'Robin', detail: { reason } },
      { action: 'support-access.ended', by: 'Robin', consentedBy: null, detail: { administrator: 'Robin' } },
    ])
    const { data: entries } = await request(robin, 'GET', `/api/admin/audit-entries?action=organization.made`)
    expect(entries.resultItems).toMatchObject([{ userName: 'Robin', consentedBy: 'Olive' }])
  })

  it('a change of an owner has one name', async () => {
    const { consent, inStudio, audit, olive, robin } = await setUp()
    await consent(robin, { mayChange: true })
    await inStudio(olive, 'POST', 'organizations', { name: 'North', type: 'school' })
    expect((await audit()).at(-1)).toMatchObject({ action: 'organization.made', by: 'Olive', consentedBy: null })
  })
})
