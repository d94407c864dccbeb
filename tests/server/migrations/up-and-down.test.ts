import { Migrator, NO_MIGRATIONS } from 'kysely/migration'
import { describe, expect, it } from 'vitest'
import { migrate } from '../../../src/server/database/migrate.ts'
import { migrations } from '../../../src/server/migrations/migrations.ts'
import { engines, freshDatabase } from '../../support/database.ts'
import { whatIsThere } from './catalog.ts'

describe.each(engines)('migrations on $name', (engine) => {
  const database = freshDatabase(engine, 'bare')

  it('go up on an empty database, down again leaving nothing, and up once more', async () => {
    const { db } = database()
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })

    expect(await migrate(db, migrations)).toEqual(Object.keys(migrations).sort())
    const first = await whatIsThere(db)
    expect(first).toContain('cart_packages')

    const { error } = await migrator.migrateTo(NO_MIGRATIONS)
    expect(error).toBeUndefined()
    expect(await whatIsThere(db)).toEqual([])

    await migrate(db, migrations)
    expect((await whatIsThere(db)).sort()).toEqual(first.sort())
    expect(await migrate(db, migrations)).toEqual([])
  })
})
