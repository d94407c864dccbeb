import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '#server/database/database.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { insertMinimalStudio, type MinimalStudio } from './minimal-studio.ts'

const lineOf = ({ studioId, cartId, packageId, subjectId }: MinimalStudio) => ({
  studio_id: studioId,
  cart_id: cartId,
  line_id: randomUUID(),
  package_id: packageId,
  package_version: 1,
  subject_id: subjectId,
  quantity: 1,
})

const orderOf = ({ studioId, jobId }: MinimalStudio) => ({
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

const attemptOf = ({ studioId }: MinimalStudio, checkoutId: string) => ({
  studio_id: studioId,
  id: randomUUID(),
  checkout_id: checkoutId,
  pay_method: 'card' as const,
  provider: 'test',
  amount_cents: 3410,
  totals: '{}',
})

const insertCheckout = async (db: Db, { studioId, cartId, sessionId }: MinimalStudio): Promise<string> => {
  const id = randomUUID()
  await db.insertInto('checkouts').values({ studio_id: studioId, id, cart_id: cartId, session_id: sessionId }).execute()
  return id
}

describe.each(enginesFor(import.meta.filename))('database constraints on $name', (engine) => {
  const database = freshDatabase(engine)
  let studio: MinimalStudio
  let otherStudio: MinimalStudio

  beforeEach(async () => {
    studio = await insertMinimalStudio(database().db, 'riverside')
    otherStudio = await insertMinimalStudio(database().db, 'summit')
  })

  it('a cart line that refers to another studio’s cart, package or subject is rejected', async () => {
    const { db } = database()
    await db.insertInto('cart_packages').values(lineOf(studio)).execute()
    const otherReferences = [
      { package_id: otherStudio.packageId },
      { subject_id: otherStudio.subjectId },
      { cart_id: otherStudio.cartId },
    ]
    for (const reference of otherReferences) {
      const insertion = db
        .insertInto('cart_packages')
        .values({ ...lineOf(studio), ...reference })
        .execute()
      await expect(insertion).rejects.toMatchObject({ code: '23503' })
    }
  })

  it('a second cart of one session, job and order method is rejected until the first is ordered', async () => {
    const { db } = database()
    const cart = {
      studio_id: studio.studioId,
      session_id: studio.sessionId,
      job_id: studio.jobId,
      order_method: 'gallery',
    } as const
    const insertCart = () => db.insertInto('carts').values(cart).execute()
    await expect(insertCart()).rejects.toMatchObject({ constraint: 'carts_live' })
    await db.updateTable('carts').set({ state: 'frozen' }).where('id', '=', studio.cartId).execute()
    await expect(insertCart()).rejects.toMatchObject({ constraint: 'carts_live' })
    await db.updateTable('carts').set({ state: 'ordered' }).where('id', '=', studio.cartId).execute()
    await expect(insertCart()).resolves.toHaveLength(1)
  })

  it('a second line with the same id in one cart is rejected', async () => {
    const { db } = database()
    const line = lineOf(studio)
    await db.insertInto('cart_packages').values(line).execute()
    await expect(db.insertInto('cart_packages').values(line).execute()).rejects.toMatchObject({ code: '23505' })
  })

  it('an upsert of a text node updates its value without changing its id', async () => {
    const { db } = database()
    const line = await db.insertInto('cart_packages').values(lineOf(studio)).returning('id').executeTakeFirstOrThrow()
    const item = { studio_id: studio.studioId, cart_package_id: line.id, package_item_id: 7 }
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

  it('a package whose current version does not exist is rejected', async () => {
    const { db } = database()
    const change = db
      .updateTable('packages')
      .set({ current_version: 2 })
      .where('studio_id', '=', studio.studioId)
      .where('id', '=', studio.packageId)
    await expect(db.transaction().execute((tx) => tx.executeQuery(change))).rejects.toMatchObject({ code: '23503' })
  })

  it('a second open payment attempt of a checkout is rejected, and so is a second successful one', async () => {
    const { db } = database()
    const checkoutId = await insertCheckout(db, studio)
    const insertAttempt = (state: 'charging' | 'unknown' | 'declined' | 'succeeded', settled_at: string | null) =>
      db
        .insertInto('payment_attempts')
        .values({ ...attemptOf(studio, checkoutId), state, settled_at })
        .execute()
    await insertAttempt('declined', '2027-05-01T10:00:00Z')
    await insertAttempt('charging', null)
    await expect(insertAttempt('unknown', null)).rejects.toMatchObject({ constraint: 'payment_attempts_live' })
    await insertAttempt('succeeded', '2027-05-01T10:00:00Z')
    const secondSuccess = insertAttempt('succeeded', '2027-05-01T10:00:00Z')
    await expect(secondSuccess).rejects.toMatchObject({ constraint: 'payment_attempts_paid' })
  })

  it('an order is rejected if its amounts do not add up to its total', async () => {
    const { db } = database()
    const wrongTotal = db
      .insertInto('orders')
      .values({ ...orderOf(studio), total_cents: 3411 })
      .execute()
    await expect(wrongTotal).rejects.toMatchObject({ constraint: 'orders_total_adds_up' })
    await expect(db.insertInto('orders').values(orderOf(studio)).execute()).resolves.toHaveLength(1)
  })

  it('an access code is unique in its studio, and a job has only one; another studio may use the same code', async () => {
    const { db } = database()
    const code = { studio_id: studio.studioId, code: 'SPRING', job_id: studio.jobId }
    await db.insertInto('access_codes').values(code).execute()
    const sameCodeForSubject = db
      .insertInto('access_codes')
      .values({ ...code, subject_id: studio.subjectId })
      .execute()
    await expect(sameCodeForSubject).rejects.toMatchObject({ constraint: 'access_codes_pkey' })
    const secondCodeOfJob = db
      .insertInto('access_codes')
      .values({ ...code, code: 'AUTUMN' })
      .execute()
    await expect(secondCodeOfJob).rejects.toMatchObject({ code: '23505' })
    const sameCodeInOtherStudio = { ...code, studio_id: otherStudio.studioId, job_id: otherStudio.jobId }
    await expect(db.insertInto('access_codes').values(sameCodeInOtherStudio).execute()).resolves.toHaveLength(1)
  })

  it('deleting a subject deletes its cart lines; its order lines remain without a subject', async () => {
    const { db } = database()
    const studio_id = studio.studioId
    await db.insertInto('cart_packages').values(lineOf(studio)).execute()
    const order = await db.insertInto('orders').values(orderOf(studio)).returning('id').executeTakeFirstOrThrow()
    await db
      .insertInto('order_lines')
      .values({
        ...{ studio_id, order_id: order.id, position: 0, kind: 'package', name: 'Basic', snapshot: '{}' },
        ...{ subject_id: studio.subjectId, package_id: studio.packageId, package_version: 1 },
        ...{ quantity: 1, unit_cents: 2000, amount_cents: 2000 },
      })
      .execute()
    await db.deleteFrom('subjects').where('studio_id', '=', studio_id).where('id', '=', studio.subjectId).execute()
    expect(await db.selectFrom('cart_packages').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('order_lines').select(['studio_id', 'subject_id']).execute()).toEqual([
      { studio_id, subject_id: null },
    ])
  })
})
