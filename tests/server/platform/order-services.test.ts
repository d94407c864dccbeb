import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { createCartFixtures } from '../carts/cart-fixtures.ts'
import { seedOrderServices } from '../carts/order-service-fixtures.ts'

const url = '/api/admin/order-services'

describe.each(enginesFor(import.meta.filename))('order services of the platform on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const fixtures = await createCartFixtures(deps)
    const { studioId, jobId } = fixtures
    const { basic, personal } = await seedOrderServices(deps, fixtures)
    await grantSupportAccess(deps, studioId)
    const permissions = ['studio.crud', 'studio.admin.crud'] as const
    const { staffRequest: request } = await staffClient(deps, app, studioId, { permissions, jobId })
    const { headers } = await fixtures.enter()
    /** The names and prices of what parents are offered. */
    const offered = async () => {
      const services = `/api/customer/studios/${studioId}/jobs/${jobId}/services`
      const { data } = (await app.inject({ url: services, headers })).json()
      return data.services.map(({ name, price }: { name: string; price: number }) => [name, price])
    }
    const bodyOf = async (id: number) => {
      const { id: _, jobCount: __, isArchived: ___, ...body } = (await request('GET', `${url}/${id}`)).data
      return body
    }
    /** What the studio reads in the settings of the job. */
    const settings = async () => (await request('GET', 'settings')).data.standard.services
    return { basic, personal, request, offered, bodyOf, settings }
  }

  it('parents read an edited name at once, and jobs keep their own prices', async () => {
    const { basic, request, offered, bodyOf, settings } = await setUp()
    const body = await bodyOf(basic)
    expect((await request('PUT', `${url}/${basic}`, { ...body, name: 'Soft', priceCents: 650 })).status).toBe(200)
    expect(await offered()).toContainEqual(['Soft', 8])
    expect(await settings()).toContainEqual(expect.objectContaining({ name: 'Soft', price: 8, usualPrice: 6.5 }))
  })

  it('an archived service is no longer offered, and a new one can be chosen by jobs', async () => {
    const { basic, request, offered, settings } = await setUp()
    expect((await request('DELETE', `${url}/${basic}`)).data).toEqual({ outcome: 'archived' })
    expect((await offered()).map(([name]: [string]) => name)).not.toContain('Basic')
    const draft = { kind: 'service', name: 'Frame', description: 'Oak', level: null, priceCents: 2500, position: 9 }
    expect((await request('POST', url, draft)).status).toBe(200)
    expect(await settings()).toContainEqual(
      expect.objectContaining({ name: 'Frame', description: 'Oak', price: 25, enabled: false }),
    )
    expect(await offered()).not.toContainEqual(['Frame', 25])
  })

  it('the kind of a service that jobs have cannot change, and only retouching has a level', async () => {
    const { basic, personal, request, bodyOf } = await setUp()
    const body = await bodyOf(basic)
    const changed = await request('PUT', `${url}/${basic}`, { ...body, kind: 'service', level: null })
    const message = 'The kind cannot change, because jobs or orders have this service'
    expect(changed).toMatchObject({ status: 422, fields: { kind: [message] } })
    const refused = await request('PUT', `${url}/${basic}`, { ...body, level: null })
    expect(refused).toMatchObject({ status: 422, fields: { level: ['This field is required'] } })
    const leveled = await request('PUT', `${url}/${personal}`, { ...(await bodyOf(personal)), level: 'basic' })
    expect(leveled).toMatchObject({ status: 422, fields: { level: ['Only retouching has a level'] } })
  })
})
