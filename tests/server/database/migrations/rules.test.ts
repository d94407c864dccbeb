import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '#server/database/database.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { type SmallStudio, smallStudio } from './small-studio.ts'

const lineOf = ({ studioId, cartId, packageId, subjectId }: SmallStudio) => ({
  studio_id: studioId,
  cart_id: cartId,
  line_id: randomUUID(),
  package_id: packageId,
  package_version: 1,
  subject_id: subjectId,
  quantity: 1,
})

const orderOf = ({ studioId, jobId }: SmallStudio) => ({
  studio_id: studioId,
  order_number: 'FP-0123ABCD',
  job_id: jobId,
  order_method: 'gallery' as const,
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'Ada@example.test',
  email_key: 'ada@example.test',
  pay_method: 'card' as const,
  packages_cents: 2000,
  services_cents: 1000,
  discount_cents: 300,
  shipping_cents: 500,
  tax_cents: 210,
  total_cents: 3410,
  totals: '{}',
  placed_at: '2027-05-01T10:00:00Z',
  moved_at: '2027-05-01T10:00:00Z',
})

const attemptOf = ({ studioId }: SmallStudio, checkoutId: string) => ({
  studio_id: studioId,
  id: randomUUID(),
  checkout_id: checkoutId,
  pay_method: 'card' as const,
  provider: 'test',
  amount_cents: 3410,
  totals: '{}',
})

const checkoutIn = async (db: Db, { studioId, cartId, sessionId }: SmallStudio): Promise<string> => {
  const id = randomUUID()
  await db.insertInto('checkouts').values({ studio_id: studioId, id, cart_id: cartId, session_id: sessionId }).execute()
  return id
}

describe.each(enginesFor(import.meta.filename))('database constraints on $name', (engine) => {
  const database = freshDatabase(engine)
  let home: SmallStudio
  let away: SmallStudio

  beforeEach(async () => {
    home = await smallStudio(database().db, 'riverside')
    away = await smallStudio(database().db, 'summit')
  })

  it('a line of another studio’s package, or for another studio’s subject, is refused', async () => {
    const { db } = database()
    await db.insertInto('cart_packages').values(lineOf(home)).execute()
    const strange = [{ package_id: away.packageId }, { subject_id: away.subjectId }, { cart_id: away.cartId }]
    for (const part of strange) {
      const attempt = db
        .insertInto('cart_packages')
        .values({ ...lineOf(home), ...part })
        .execute()
      await expect(attempt).rejects.toMatchObject({ code: '23503' })
    }
  })

  it('a second cart of one session, job and method is refused until the first is ordered', async () => {
    const { db } = database()
    const cart = {
      studio_id: home.studioId,
      session_id: home.sessionId,
      job_id: home.jobId,
      order_method: 'gallery',
    } as const
    const second = () => db.insertInto('carts').values(cart).execute()
    await expect(second()).rejects.toMatchObject({ constraint: 'carts_live' })
    await db.updateTable('carts').set({ state: 'frozen' }).where('id', '=', home.cartId).execute()
    await expect(second()).rejects.toMatchObject({ constraint: 'carts_live' })
    await db.updateTable('carts').set({ state: 'ordered' }).where('id', '=', home.cartId).execute()
    await expect(second()).resolves.toHaveLength(1)
  })

  it('the same line twice in a cart is refused', async () => {
    const { db } = database()
    const line = lineOf(home)
    await db.insertInto('cart_packages').values(line).execute()
    await expect(db.insertInto('cart_packages').values(line).execute()).rejects.toMatchObject({ code: '23505' })
  })

  it('the id of a node stays when the node is written again', async () => {
    const { db } = database()
    const line = await db.insertInto('cart_packages').values(lineOf(home)).returning('id').executeTakeFirstOrThrow()
    const item = { studio_id: home.studioId, cart_package_id: line.id, package_item_id: 7 }
    await db
      .insertInto('cart_package_items')
      .values({ ...item, name: '5x7', product_code: '5x7' })
      .execute()
    const write = (value: string) =>
      db
        .insertInto('cart_text_nodes')
        .values({ ...item, package_item_text_node_id: 9, value })
        .onConflict((conflict) =>
          conflict
            .columns(['studio_id', 'cart_package_id', 'package_item_text_node_id'])
            .doUpdateSet({ value: (eb) => eb.ref('excluded.value') }),
        )
        .returning(['id', 'value'])
        .executeTakeFirstOrThrow()
    const first = await write('Ada')
    expect(await write('Lovelace')).toEqual({ id: first.id, value: 'Lovelace' })
  })

  it('a package without its current version is refused at the end of the transaction', async () => {
    const { db } = database()
    const change = db
      .updateTable('packages')
      .set({ current_version: 2 })
      .where('studio_id', '=', home.studioId)
      .where('id', '=', home.packageId)
    await expect(db.transaction().execute((tx) => tx.executeQuery(change))).rejects.toMatchObject({ code: '23503' })
  })

  it('two live attempts to pay one checkout, and two successful ones, are refused', async () => {
    const { db } = database()
    const checkoutId = await checkoutIn(db, home)
    const attempt = (state: 'charging' | 'unknown' | 'declined' | 'succeeded', settled_at: string | null) =>
      db
        .insertInto('payment_attempts')
        .values({ ...attemptOf(home, checkoutId), state, settled_at })
        .execute()
    await attempt('declined', '2027-05-01T10:00:00Z')
    await attempt('charging', null)
    await expect(attempt('unknown', null)).rejects.toMatchObject({ constraint: 'payment_attempts_live' })
    await attempt('succeeded', '2027-05-01T10:00:00Z')
    const twice = attempt('succeeded', '2027-05-01T10:00:00Z')
    await expect(twice).rejects.toMatchObject({ constraint: 'payment_attempts_paid' })
  })

  it('an order whose parts do not add up is refused', async () => {
    const { db } = database()
    const wrong = db
      .insertInto('orders')
      .values({ ...orderOf(home), total_cents: 3411 })
      .execute()
    await expect(wrong).rejects.toMatchObject({ constraint: 'orders_total_adds_up' })
    await expect(db.insertInto('orders').values(orderOf(home)).execute()).resolves.toHaveLength(1)
  })

  it('an access code belongs to one job or subject of a studio', async () => {
    const { db } = database()
    const code = { studio_id: home.studioId, code: 'SPRING', job_id: home.jobId }
    await db.insertInto('access_codes').values(code).execute()
    const taken = db
      .insertInto('access_codes')
      .values({ ...code, subject_id: home.subjectId })
      .execute()
    await expect(taken).rejects.toMatchObject({ constraint: 'access_codes_pkey' })
    const second = db
      .insertInto('access_codes')
      .values({ ...code, code: 'AUTUMN' })
      .execute()
    await expect(second).rejects.toMatchObject({ code: '23505' })
    const elsewhere = { ...code, studio_id: away.studioId, job_id: away.jobId }
    await expect(db.insertInto('access_codes').values(elsewhere).execute()).resolves.toHaveLength(1)
  })

  it('deleting a subject deletes their lines and grants, and leaves what was sold', async () => {
    const { db } = database()
    const studio_id = home.studioId
    await db.insertInto('cart_packages').values(lineOf(home)).execute()
    const order = await db.insertInto('orders').values(orderOf(home)).returning('id').executeTakeFirstOrThrow()
    await db
      .insertInto('order_lines')
      .values({
        ...{ studio_id, order_id: order.id, position: 0, kind: 'package', name: 'Basic', snapshot: '{}' },
        ...{ subject_id: home.subjectId, package_id: home.packageId, package_version: 1 },
        ...{ quantity: 1, unit_cents: 2000, amount_cents: 2000 },
      })
      .execute()
    await db.deleteFrom('subjects').where('studio_id', '=', studio_id).where('id', '=', home.subjectId).execute()
    expect(await db.selectFrom('cart_packages').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('order_lines').select(['studio_id', 'subject_id']).execute()).toEqual([
      { studio_id, subject_id: null },
    ])
  })
})
