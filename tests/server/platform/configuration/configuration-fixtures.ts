import type { LightMyRequestResponse } from 'fastify'
import type { MaintenancePlan, PlatformConfiguration } from '#contract/system/configuration.ts'
import { noMaintenance } from '#domain/configuration/maintenance.ts'
import type { SettingKey, SettingValue } from '#domain/configuration/platform-settings.ts'
import type { Deps } from '#server/deps.ts'
import type { TestDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { signToken } from '#support/server/sign-token.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'

export const configurationUrl = '/api/admin/configuration'

type Answer = { status: number; data: PlatformConfiguration } & Record<string, unknown>

/** An app with an administrator who changes the configuration, and a studio with a member of staff. */
export const createConfigurationFixtures = async (database: TestDatabase, overrides: Partial<Deps> = {}) => {
  const time = manualClock()
  const deps = testDeps(database, { ...time, ...overrides })
  const app = await testApp(deps)
  const studioId = await given(deps).studio()
  const administrator = await given(deps).user(null, { name: 'Alex', email: 'alex@platform.test' })
  const staff = await given(deps).user(studioId)
  await grantSupportAccess(deps, studioId)
  const headersOf = async (caller: 'administrator' | 'staff') => {
    const user =
      caller === 'administrator'
        ? ({ ...administrator, permissions: ['studio.crud', 'studio.admin.crud'] } as const)
        : ({ ...staff, permissions: ['studio.crud'] } as const)
    return { authorization: `Bearer ${(await signToken(deps, user)).token}` }
  }
  const send = async (
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    payload?: object,
    caller: 'administrator' | 'staff' = 'administrator',
  ): Promise<LightMyRequestResponse> =>
    await app.inject({ method, url, headers: await headersOf(caller), ...(payload && { payload }) })
  const request = async (...args: Parameters<typeof send>): Promise<Answer> => {
    const response = await send(...args)
    return { status: response.statusCode, ...response.json() }
  }
  const read = async (): Promise<PlatformConfiguration> => (await request('GET', configurationUrl)).data
  const setting = async (key: SettingKey) => (await read()).settings.find((item) => item.key === key)
  const change = (key: SettingKey, value: SettingValue | null, version?: number) =>
    request('PUT', `${configurationUrl}/settings/${key}`, { value, ...(version !== undefined && { version }) })
  const plan = (changes: Partial<MaintenancePlan>, version?: number) =>
    request('PUT', `${configurationUrl}/maintenance`, {
      ...noMaintenance,
      ...changes,
      ...(version !== undefined && { version }),
    })
  return { deps, app, studioId, administrator, staff, send, request, read, setting, change, plan, ...time }
}
