import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'

describe.each(enginesFor(import.meta.filename))('the features of a studio on $name', (engine) => {
  const database = freshDatabase(engine)

  it('a feature is turned off and on for the next request, and each change is in the audit trail', async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const studioId = await given(deps).studio()
    const featureId = await given(deps).feature(studioId, 'promotions')
    const { staffRequest } = await staffClient(deps, app, studioId, { user: { role: 'owner' } })
    const asAdministrator = (method: 'GET' | 'PUT', path: string, payload?: object) =>
      staffRequest(method, `/api/admin/studios/${path}`, payload, { permissions: ['studio.admin.crud'] })
    const readStatus = async () => (await staffRequest('GET', 'promotions')).status
    const turn = (isOn: boolean) => asAdministrator('PUT', `${studioId}/features/${featureId}`, { isOn })
    expect((await asAdministrator('GET', `${studioId}/features`)).data).toMatchObject([{ id: featureId, isOn: true }])
    expect(await readStatus()).toBe(200)
    expect((await turn(false)).data).toMatchObject([{ id: featureId, isOn: false }])
    expect(await readStatus()).toBe(403)
    await turn(true)
    await turn(true)
    expect(await readStatus()).toBe(200)
    const unknown = [`999/features`, `${studioId}/features/999`]
    expect((await asAdministrator('GET', unknown[0] ?? '')).status).toBe(404)
    expect((await asAdministrator('PUT', unknown[1] ?? '', { isOn: true })).status).toBe(404)
    const actions = await deps.db.selectFrom('audit_log').select('action').execute()
    expect(actions.map(({ action }) => action)).toEqual(Array(3).fill('studio.feature-switched'))
  })
})
