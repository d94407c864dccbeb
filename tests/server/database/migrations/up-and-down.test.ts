import { sql } from 'kysely'
import { Migrator, NO_MIGRATIONS } from 'kysely/migration'
import { describe, expect, it } from 'vitest'
import { migrate } from '#server/database/migrate.ts'
import { migrations } from '#server/database/migrations/migrations.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { listSchemaObjects } from './catalog.ts'
import { smallStudio } from './small-studio.ts'

describe.each(enginesFor(import.meta.filename))('migrations on $name', (engine) => {
  const database = freshDatabase(engine, 'bare')

  it('go up on an empty database, down again leaving nothing, and up once more', async () => {
    const { db } = database()
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })

    expect(await migrate(db, migrations)).toEqual(Object.keys(migrations).sort())
    const first = await listSchemaObjects(db)
    expect(first).toContain('cart_packages')

    const { error } = await migrator.migrateTo(NO_MIGRATIONS)
    expect(error).toBeUndefined()
    expect(await listSchemaObjects(db)).toEqual([])

    await migrate(db, migrations)
    expect((await listSchemaObjects(db)).sort()).toEqual(first.sort())
    expect(await migrate(db, migrations)).toEqual([])
  })

  it('keep the key of each visit when it may have several, and one of them on the way back', async () => {
    const { db } = database()
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    const to = async (name: string) => expect((await migrator.migrateTo(name)).error).toBeUndefined()
    await to('0015-cart-ids-at-random')
    await sql`insert into customer_sessions (token_hash, expires_at, finished_at)
      values ('live', '2099-01-01', null), ('over', '2099-01-01', '2027-01-01')`.execute(db)
    await to('0016-hand-overs')
    const { rows: keys } = await sql`
      select session_id, token_hash, ended_at is not null as ended from session_keys order by id`.execute(db)
    expect(keys).toEqual([
      { session_id: 1, token_hash: 'live', ended: false },
      { session_id: 2, token_hash: 'over', ended: true },
    ])
    await sql`update session_keys set ended_at = now() where token_hash = 'live'`.execute(db)
    await sql`insert into session_keys (session_id, token_hash) values (1, 'second'), (1, 'third')`.execute(db)
    await sql`insert into customer_sessions (expires_at) values ('2099-01-01')`.execute(db)
    await to('0015-cart-ids-at-random')
    const { rows } = await sql`select id, token_hash from customer_sessions order by id`.execute(db)
    expect(rows).toEqual([
      { id: 1, token_hash: 'second' },
      { id: 2, token_hash: 'over' },
      { id: 3, token_hash: 'none 3' },
    ])
  })

  it('take the secrets out of mails that were kept, and leave the rest of them as it was', async () => {
    const { db } = database()
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    expect((await migrator.migrateTo('0030-shoots-and-paper-orders')).error).toBeUndefined()
    const secret = 'A-_z'.repeat(8)
    const bodies = [
      [
        'https://x.test/reset-password?token=%, good for an hour',
        'https://x.test/reset-password?token=…, good for an hour',
      ],
      ['One picture: https://x.test/riverside/download/%', 'One picture: https://x.test/riverside/download/…'],
      [
        'Your order FP-12345678 is at https://x.test/riverside/7',
        'Your order FP-12345678 is at https://x.test/riverside/7',
      ],
    ].map((pair) => pair.map((body) => body.replace('%', secret)))
    for (const [body] of bodies) {
      await sql`insert into mail_log (kind, to_email, subject, body_text, body_html)
        values ('test', 'a@b.test', 'A mail', ${body}, ${`<p>${body}</p>`})`.execute(db)
    }
    await migrate(db, migrations)
    const { rows } = await sql`select body_text as text, body_html as html from mail_log order by id`.execute(db)
    expect(rows).toEqual(bodies.map(([, kept]) => ({ text: kept, html: `<p>${kept}</p>` })))
  })

  it('keep what was taken beside what waits, and one of each visit on the way back', async () => {
    const { db } = database()
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    const to = async (name: string) => expect((await migrator.migrateTo(name)).error).toBeUndefined()
    await to('0017-hand-overs-taken')
    await sql`insert into customer_sessions (expires_at) values ('2099-01-01'), ('2099-01-01')`.execute(db)
    await sql`insert into session_keys (session_id, token_hash) values (1, 'a'), (2, 'b')`.execute(db)
    const add = (token: string, of: { session: number; minute: number; taken: boolean }) =>
      sql`
      insert into hand_overs (session_id, id, job_id, order_method, token_hash, made_by, expires_at, taken_by, taker_hash)
      values (${of.session}, gen_random_uuid(), 1, 'gallery', ${token}, ${of.session},
        ${`2027-01-01T10:0${of.minute}:00Z`}, ${of.taken ? of.session : null}, ${of.taken ? 'taker' : null})`.execute(
        db,
      )
    await add('1 early', { session: 1, minute: 1, taken: true })
    await add('1 waits', { session: 1, minute: 2, taken: false })
    await expect(add('1 too', { session: 1, minute: 3, taken: false })).rejects.toMatchObject({ code: '23505' })
    await add('2 early', { session: 2, minute: 1, taken: true })
    await add('2 late', { session: 2, minute: 2, taken: true })
    await to('0016-hand-overs')
    const { rows } = await sql`select token_hash as token from hand_overs order by session_id`.execute(db)
    expect(rows).toEqual([{ token: '1 waits' }, { token: '2 late' }])
  })

  it('hold what was placed for a batch before there were any: prints, and not those of files, that went home or on', async () => {
    const { db } = database()
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    const to = async (name: string) => expect((await migrator.migrateTo(name)).error).toBeUndefined()
    await to('0019-found-at-once')
    const { studioId, jobId, packageId } = await smallStudio(db, 'riverside')
    const order = async (number: string, held: boolean, state: string, product: string) => {
      const { rows } = await sql<{ id: number }>`
        insert into orders (studio_id, order_number, job_id, order_method, state, is_part_of_batch_order, first_name, last_name,
          email, email_key, pay_method, packages_cents, total_cents, totals, placed_at, moved_at)
        values (${studioId}, ${number}, ${jobId}, 'gallery', ${state}, ${held}, 'Ada', 'L', 'a@b.test', 'a@b.test', 'card', 0, 0,
          '{}', now(), now()) returning id`.execute(db)
      const content = JSON.stringify([{ productCode: 'SingleDigDown' }, { productCode: product }])
      await sql`
        insert into order_lines (studio_id, order_id, position, kind, package_id, package_version, name, quantity, unit_cents,
          amount_cents, snapshot, content)
        values (${studioId}, ${rows[0]?.id}, 0, 'package', ${packageId}, 1, 'Basic', 1, 0, 0, '{}', ${content}::jsonb)`.execute(
        db,
      )
    }
    await order('FP-00000001', true, 'placed', '8x10')
    await order('FP-00000002', true, 'placed', 'Dj')
    await order('FP-00000003', false, 'placed', '8x10')
    await order('FP-00000004', true, 'submitted', '8x10')
    await order('FP-00000005', true, 'placed', '5x7')
    await to('0021-batches-and-compositions')
    const { rows } = await sql`
      select right(o.order_number, 1) as order, o.state, b.name, b.state as batch, m.from_state, m.to_state from orders o
        left join batches b on b.studio_id = o.studio_id and b.id = o.batch_id
        left join order_moves m on m.studio_id = o.studio_id and m.order_id = o.id order by o.id`.execute(db)
    const held = { state: 'batched', name: 'Batch 1', batch: 'open', from_state: 'placed', to_state: 'batched' }
    const left = { state: 'placed', name: null, batch: null, from_state: null, to_state: null }
    expect(rows).toEqual([
      { order: '1', ...held },
      { order: '2', ...left },
      { order: '3', ...left },
      { order: '4', ...left, state: 'submitted' },
      { order: '5', ...held },
    ])
  })
})
