import { describe, expect, it } from 'vitest'
import { settingKeys } from '#domain/configuration/platform-settings.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testDeps } from '#support/server/test-app.ts'
import { configurationUrl, createConfigurationFixtures } from './configuration-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('the configuration of the platform on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = () => createConfigurationFixtures(database())

  it('every setting has its initial value until it is changed, and says who changed it when', async () => {
    const { read, setting, change, clock } = await setUp()
    const { settings } = await read()
    expect(settings.map(({ key }) => key)).toEqual(settingKeys)
    expect(settings.every(({ isChanged, changedBy, version }) => !isChanged && !changedBy && version === 0)).toBe(true)
    expect((await change('import-days', 30, 0)).status).toBe(200)
    expect(await setting('import-days')).toEqual({
      ...{ key: 'import-days', value: 30, unchangedValue: 90, isChanged: true, variable: null },
      ...{ changedBy: 'Alex', changedAt: clock().toISOString(), version: 1 },
    })
  })

  it('a reset setting has its initial value again, and an older form of it is still refused', async () => {
    const { setting, change } = await setUp()
    await change('import-days', 30, 0)
    await change('import-days', null, 1)
    expect(await setting('import-days')).toMatchObject({ value: 90, isChanged: false, changedBy: 'Alex', version: 2 })
    expect(await change('import-days', 7, 1)).toMatchObject({ status: 409, problem: 'conflict' })
    expect(await change('import-days', 7, 2)).toMatchObject({ status: 200 })
  })

  it('two first changes of the same setting: the second is a conflict', async () => {
    const { change } = await setUp()
    const answers = await Promise.all([change('log-months', 5, 0), change('log-months', 6, 0)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it('a value that a setting cannot have is refused at its field, and changes nothing', async () => {
    const { setting, change } = await setUp()
    expect(await change('log-months', 0)).toMatchObject({
      status: 422,
      fields: { value: ['Enter a whole number from 1 to 120'] },
    })
    expect(await change('mail-sender-name', 'A\nB')).toMatchObject({ status: 422 })
    expect(await setting('log-months')).toMatchObject({ value: 13, version: 0, changedBy: null })
    await change('mail-sender-name', '  Pictures ')
    expect(await setting('mail-sender-name')).toMatchObject({ value: 'Pictures' })
  })

  it('a value of the environment is named with its variable, is what a reset restores, and can be changed', async () => {
    const { settings } = testDeps(database())
    const fromEnvironment = { 'studio-storage': 5 }
    const fixtures = await createConfigurationFixtures(database(), { settings: { ...settings, fromEnvironment } })
    expect(await fixtures.setting('studio-storage')).toMatchObject({ value: 5, variable: 'STUDIO_STORAGE_GB' })
    expect(await fixtures.setting('unverified-storage')).toMatchObject({ value: 20, variable: null })
    await fixtures.change('studio-storage', 9)
    expect(await fixtures.setting('studio-storage')).toMatchObject({ value: 9, unchangedValue: 5, isChanged: true })
    await fixtures.change('studio-storage', null)
    expect(await fixtures.setting('studio-storage')).toMatchObject({ value: 5, isChanged: false })
  })

  it('a stored value that the setting can no longer have is ignored', async () => {
    const { deps, setting } = await setUp()
    const value = JSON.stringify({ value: 5_000 })
    await deps.db.insertInto('settings').values({ key: 'log-months', value }).execute()
    expect(await setting('log-months')).toMatchObject({ value: 13, isChanged: false })
  })

  it('each change is in the audit trail with the values before and after', async () => {
    const { deps, change, plan } = await setUp()
    await change('import-days', 30)
    await change('import-days', null)
    await plan({ isOn: true, message: 'New servers' })
    const query = deps.db.selectFrom('audit_log').select(['action', 'entity_id', 'detail']).orderBy('id')
    expect(await query.execute()).toEqual([
      {
        ...{ action: 'setting.changed', entity_id: 'import-days' },
        detail: { name: 'Imports', before: { value: 90 }, after: { value: 30 } },
      },
      {
        ...{ action: 'setting.reset', entity_id: 'import-days' },
        detail: { name: 'Imports', before: { value: 30 }, after: { value: 90 } },
      },
      {
        ...{ action: 'maintenance.changed', entity_id: 'maintenance' },
        detail: { before: { isOn: false, message: '' }, after: { isOn: true, message: 'New servers' } },
      },
    ])
  })

  it('staff can neither read nor change it', async () => {
    const { request } = await setUp()
    const statuses = [
      (await request('GET', configurationUrl, undefined, 'staff')).status,
      (await request('PUT', `${configurationUrl}/settings/log-months`, { value: 1 }, 'staff')).status,
      (await request('POST', `${configurationUrl}/test-mail`, {}, 'staff')).status,
    ]
    expect(statuses).toEqual([403, 403, 403])
    expect((await request('PUT', `${configurationUrl}/settings/secret`, { value: 1 })).status).toBe(404)
  })
})
