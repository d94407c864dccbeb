import { describe, expect, it } from 'vitest'
import { platformStudioMessages } from '#domain/platform/platform-studio.ts'
import { sendStudioEmail } from '#server/platform/studio-emails.ts'
import type { Message } from '#server/ports/mail.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { signToken } from '#support/server/sign-token.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'

const url = '/api/admin/studios'
const reason = 'The owner sold the studio'
const draft = { name: 'Lakeside', slug: 'lakeside', email: '', phone: '', platformFeeBasisPoints: 250 }
const newDraft = { ...draft, ownerName: 'Lou', ownerEmail: 'Lou@lake.test' }

describe.each(enginesFor(import.meta.filename))('administrators run studios on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const queue = recordingQueue()
    const messages: Message[] = []
    const mail = { send: async (message: Message) => void messages.push(message) }
    const deps = { ...testDeps(database()), jobs: { enqueue: queue.enqueue }, mail }
    const app = await testApp(deps)
    const studioId = await given(deps).studio({ slug: 'riverside' })
    const owner = await staffClient(deps, app, studioId, {
      user: { role: 'owner', name: 'Olive', email: 'olive@riverside.test' },
    })
    const administrator = await given(deps).user(null, { email: 'admin@platform.test', role: 'administrator' })
    const { token } = await signToken(deps, { ...administrator, permissions: ['studio.admin.crud'], studioId: null })
    const request = async (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object, idempotencyKey?: string) => {
      const headers = { authorization: `Bearer ${token}`, ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) }
      const response = await app.inject({ method, url: path, headers, ...(payload && { payload }) })
      return { status: response.statusCode, ...response.json() }
    }
    const queued = (name: string) => queue.jobs.filter((job) => job.name === name).map(({ payload }) => payload)
    const emailOwners = async () => {
      for (const payload of queued('send-studio-email')) await sendStudioEmail(deps, payload)
      return messages
    }
    return { deps, app, studioId, owner, administrator, request, queued, emailOwners, studioUrl: `${url}/${studioId}` }
  }

  it('a studio is created with the features of new studios, and its owner is invited, once for a repeated request', async () => {
    const { deps, request, queued } = await setUp()
    await given(deps).feature(await given(deps).studio({ slug: 'other' }), 'workflows')
    await deps.db.updateTable('features').set({ is_default: true }).where('identifier', '=', 'workflows').execute()
    const create = () => request('POST', url, newDraft, '6f1c1a3e-6a51-4b0e-9e4d-0d8f2c0b7a11')
    const [first, second] = [await create(), await create()]
    expect(second.data).toEqual(first.data)
    expect(first.data).toMatchObject({ ...draft, rspoEnabled: true, isMillersVerified: false, users: [] })
    const invitations = await deps.db.selectFrom('invitations').select(['email', 'role', 'studio_id']).execute()
    expect(invitations).toEqual([{ email: 'lou@lake.test', role: 'owner', studio_id: first.data.id }])
    expect(queued('send-invitation-email')).toHaveLength(1)
    const features = deps.db.selectFrom('studio_features').select('feature_id').where('studio_id', '=', first.data.id)
    expect(await features.execute()).toHaveLength(1)
  })

  it.each([
    ['an address in use', { slug: 'riverside' }, 'slug', 'This address is taken. Please choose another'],
    ['a reserved address', { slug: 'admin' }, 'slug', 'This address is used by a page of ours. Please choose another'],
    ['a fee above 100%', { platformFeeBasisPoints: 10_001 }, 'platformFeeBasisPoints', /^Enter a percentage/],
    ['an owner who signs in already', { ownerEmail: 'ADMIN@platform.test' }, 'ownerEmail', /already signs in/],
    ['an owner without a name', { ownerName: ' ' }, 'ownerName', 'This field is required'],
  ])('a new studio with %s is refused at its field, and nothing is created', async (_, invalid, field, message) => {
    const { request, queued } = await setUp()
    const refused = await request('POST', url, { ...newDraft, ...invalid })
    expect(refused).toMatchObject({ status: 422, fields: { [field]: [expect.stringMatching(message)] } })
    expect((await request('GET', url)).data).toHaveLength(1)
    expect(queued('send-invitation-email')).toEqual([])
  })

  it('a changed studio keeps its former address, which no other studio can take, and may take it back', async () => {
    const { app, request, studioUrl } = await setUp()
    const changed = await request('PUT', studioUrl, { ...draft, version: 1 })
    expect(changed.data).toMatchObject({ ...draft, version: 2 })
    expect((await request('PUT', studioUrl, { ...draft, version: 1 })).status).toBe(409)
    const taken = await request('POST', url, { ...newDraft, slug: 'riverside' })
    expect(taken.fields).toEqual({ slug: ['This address is taken. Please choose another'] })
    expect((await app.inject('/api/customer/studios/lakeside')).json().data).toMatchObject({ name: 'Lakeside' })
    expect((await request('PUT', studioUrl, { ...draft, slug: 'riverside' })).data).toMatchObject({ slug: 'riverside' })
  })

  it('a disabled studio is closed to staff at the next request, until it is enabled; its owners get an email with the reason', async () => {
    const { request, owner, studioUrl, emailOwners } = await setUp()
    const decide = (isEnabled: boolean, reason: string) =>
      request('POST', `${studioUrl}/enabled`, { isEnabled, reason })
    expect((await owner.staffRequest('GET', 'jobs')).status).toBe(200)
    expect(await decide(false, ' ')).toMatchObject({ status: 422, fields: { reason: ['This field is required'] } })
    expect((await decide(false, 'The invoice is unpaid')).data).toMatchObject({ rspoEnabled: false })
    expect((await owner.staffRequest('GET', 'jobs')).status).toBe(404)
    expect((await request('GET', `${url}?type=disabled&currentPage=1`)).data.resultItems).toHaveLength(1)
    expect((await request('GET', `${url}?type=enabled&currentPage=1`)).data.resultItems).toEqual([])
    await decide(false, 'Again')
    expect((await decide(true, '')).data).toMatchObject({ rspoEnabled: true })
    expect((await owner.staffRequest('GET', 'jobs')).status).toBe(200)
    const emails = await emailOwners()
    expect(emails.map(({ kind }) => kind)).toEqual(['studio-disabled', 'studio-enabled'])
    expect(emails[0]?.text).toContain('Reason: The invoice is unpaid')
  })

  const ask = async ({ deps, studioId }: Awaited<ReturnType<typeof setUp>>, accountNumber: string) => {
    await deps.db
      .insertInto('verification_requests')
      .values({ studio_id: studioId, account_number: accountNumber })
      .execute()
  }

  it('a request for verification is refused with a reason, and a later one is verified; each is decided once', async () => {
    const tenant = await setUp()
    const { deps, request, studioUrl, emailOwners } = tenant
    const decide = (isVerified: boolean, reason: string) =>
      request('POST', `${studioUrl}/verification`, { isVerified, reason })
    await ask(tenant, 'M-100')
    expect((await request('GET', `${url}?type=waiting&currentPage=1`)).data.resultItems).toMatchObject([
      { waitingAccountNumber: 'M-100' },
    ])
    expect((await decide(false, '')).fields).toEqual({ reason: ['This field is required'] })
    expect((await decide(false, 'The account is closed')).data).toMatchObject({ waitingAccountNumber: null })
    expect((await decide(true, '')).errors).toEqual(['This request was decided already'])
    await ask(tenant, 'M-200')
    expect((await decide(true, '')).data).toMatchObject({ isMillersVerified: true, waitingAccountNumber: null })
    const emails = await emailOwners()
    expect(emails.map(({ kind }) => kind)).toEqual(['studio-refused', 'studio-verified'])
    expect(emails[0]?.text).toContain('Reason: The account is closed')
    const requests = deps.db.selectFrom('verification_requests').select(['state', 'reason']).orderBy('id')
    expect(await requests.execute()).toEqual([
      { state: 'refused', reason: 'The account is closed' },
      { state: 'verified', reason: null },
    ])
  })

  it('an account number of another studio is not verified, and the request still waits', async () => {
    const tenant = await setUp()
    await given(tenant.deps).studio({ slug: 'other', account_number: 'M-100' })
    await ask(tenant, 'M-100')
    const refused = await tenant.request('POST', `${tenant.studioUrl}/verification`, { isVerified: true, reason: '' })
    expect(refused.errors).toEqual(['This account number belongs to another studio'])
    expect((await tenant.request('GET', tenant.studioUrl)).data).toMatchObject({ waitingAccountNumber: 'M-100' })
  })

  it('ownership moves to one user of the studio; the former owner’s token is refused', async () => {
    const { deps, app, studioId, owner, request, studioUrl } = await setUp()
    const { id: userId } = await given(deps).user(studioId, { email: 'sam@riverside.test', role: 'staff' })
    const permissions = ['studio.crud', 'studio.users.crud'] as const
    const headers = await owner.headersFor({ permissions })
    const listUsers = () => app.inject({ url: `/api/studioadmin/studios/${studioId}/users`, headers })
    expect((await listUsers()).statusCode).toBe(200)
    const { data } = await request('POST', `${studioUrl}/owner`, { userId, reason })
    expect(data.users.map(({ id, role }: { id: number; role: string }) => [id, role])).toEqual([
      [userId, 'owner'],
      [owner.id, 'staff'],
    ])
    expect((await listUsers()).statusCode).toBe(401)
    const otherId = await given(deps).studio({ slug: 'other' })
    const { id: strangerId } = await given(deps).user(otherId, { email: 'x@other.test', role: 'staff' })
    expect((await request('POST', `${studioUrl}/owner`, { userId: strangerId, reason })).status).toBe(422)
    const audit = deps.db.selectFrom('audit_log').select(['action', 'user_id', 'detail']).where('entity', '=', 'studio')
    expect(await audit.execute()).toMatchObject([
      {
        ...{ action: 'studio.transferred', user_id: expect.any(Number) },
        detail: { reason, owner: 'Sam', formerOwners: 'Olive' },
      },
    ])
  })

  it('both the new owner and everyone who owned the studio before are emailed the reason of a transfer', async () => {
    const { deps, studioId, request, emailOwners, studioUrl } = await setUp()
    const { id: userId } = await given(deps).user(studioId, { email: 'sam@riverside.test', role: 'staff' })
    await request('POST', `${studioUrl}/owner`, { userId, reason })
    const messages = await emailOwners()
    expect(messages.map(({ to, subject }) => [to.email, subject])).toEqual([
      ['olive@riverside.test', 'Sam owns riverside now'],
      ['sam@riverside.test', 'riverside has a new owner'],
    ])
    for (const { text } of messages) expect(text).toContain(`Reason: ${reason}`)
    expect(messages[0]?.text).toContain('who works for the platform')
  })

  it('ownership is not transferred without a reason, by an administrator who is inside, or before a deletion', async () => {
    const { deps, studioId, request, administrator, studioUrl } = await setUp()
    const { id: userId } = await given(deps).user(studioId, { email: 'sam@riverside.test', role: 'staff' })
    const transfer = (text: string) => request('POST', `${studioUrl}/owner`, { userId, reason: text })
    expect(await transfer(' ')).toMatchObject({ status: 422, fields: { reason: ['This field is required'] } })
    const now = deps.clock()
    await given(deps).supportAccess(studioId, administrator.id, {
      ...{ starts_at: now, ends_at: new Date(now.getTime() + 3_600_000) },
    })
    expect(await transfer(reason)).toMatchObject({ status: 422, errors: [platformStudioMessages.inside] })
    await deps.db.updateTable('support_accesses').set({ ended_at: now }).execute()
    await request('POST', `${studioUrl}/deletion`, { reason })
    expect(await transfer(reason)).toMatchObject({ status: 422, errors: [platformStudioMessages.deleting] })
    const roles = deps.db.selectFrom('users').select('role').where('id', '=', userId)
    expect(await roles.execute()).toEqual([{ role: 'staff' }])
  })

  it('usage counts what a studio stores', async () => {
    const { deps, studioId, request, studioUrl } = await setUp()
    await given(deps).job(studioId)
    await given(deps).job(await given(deps).studio({ slug: 'other' }))
    const { data } = await request('GET', studioUrl)
    expect(data.usage).toEqual({ jobs: 1, subjects: 0, images: 0, bytes: 0, orders: 0 })
    expect((await request('GET', `${url}/999`)).status).toBe(404)
  })
})
