import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Cart } from '#domain/cart/cart.ts'
import { cartServicesOf, matchesServiceKey } from '#domain/cart/order-services.ts'
import { toCents } from '#domain/pricing/money.ts'

/** A cart before and after a change. Only the differences are written. */
export type CartChange = {
  readonly studioId: number
  readonly cartId: number | RawBuilder<number>
  readonly before: Cart
  readonly after: Cart
  readonly at: Date
  /** The condition under which anything is written. */
  readonly onlyIf: RawBuilder<SqlBool>
}

type Statement = RawBuilder<unknown>

const changedEntries = <Entry>(before: readonly Entry[], after: readonly Entry[]): Entry[] => {
  // The cart rules copy only what they change, so a changed entry is a new object.
  const entriesBefore = new Set(before)
  return after.filter((entry) => !entriesBefore.has(entry))
}

const changedRows = (before: Cart, after: Cart) => {
  const [oldDetails, newDetails] = [before.cartOrderServicesDetails, after.cartOrderServicesDetails]
  return [
    ...changedEntries(oldDetails.cartOrderServices, newDetails.cartOrderServices).map((entry) => ({
      kind: 'service',
      image: null,
      entry,
    })),
    ...changedEntries(oldDetails.retouches, newDetails.retouches).map((entry) => ({
      kind: 'retouch',
      image: entry.imageLookupId,
      entry,
    })),
    ...changedEntries(oldDetails.personalizations, newDetails.personalizations).map((entry) => ({
      kind: 'personalization',
      image: null,
      entry,
    })),
  ].map(({ kind, image, entry }) => {
    const { id: _, cartId: __, subjectId, personId: ___, orderServiceId, price, ...details } = entry
    return { kind, image, subject: subjectId, service: orderServiceId, cents: toCents(price), ...details }
  })
}

const columns = `kind text, image bigint, subject bigint, service bigint, cents integer, level text,
  "nameOnWallets" boolean, "nameOnAllPrints" boolean, "yearOnWallets" boolean, "yearOnAllPrints" boolean,
  "nameToPrint" text, "yearToPrint" text`

/** The statements of one `with` that write the changed order services of a cart; empty without changes. */
export const serviceWriteStatements = (change: CartChange): Statement[] => {
  const { before, after } = change
  // Matched by content, not by id: a service written by the previous mutation has no id here yet.
  const remaining = cartServicesOf(after)
  const removed = cartServicesOf(before).filter(
    (entry) => !remaining.some(matchesServiceKey({ ...entry, imageLookupId: entry.imageLookupId ?? null })),
  )
  const rows = changedRows(before, after)
  return [
    ...(removed.length > 0 ? [deleteStatement(change, removed)] : []),
    ...(rows.length > 0 ? upsertStatements(change, JSON.stringify(rows)) : []),
  ]
}

type ServiceEntry = ReturnType<typeof cartServicesOf>[number]

const deleteStatement = ({ studioId, cartId, onlyIf }: CartChange, entries: readonly ServiceEntry[]): Statement => {
  const list = entries.map(({ subjectId, orderServiceId, imageLookupId = null }) => ({
    subject: subjectId,
    service: orderServiceId,
    image: imageLookupId,
  }))
  return sql`
  lost_services as (
    delete from cart_order_services o
     using jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as x(subject bigint, service bigint, image bigint)
     where ${onlyIf} and o.studio_id = ${studioId} and o.cart_id = ${cartId} and o.subject_id = x.subject
       and o.order_service_id = x.service and o.image_id is not distinct from x.image)`
}

const upsertStatements = ({ studioId, cartId, at, onlyIf }: CartChange, json: string): Statement[] => {
  const rows = sql`jsonb_to_recordset(${json}::jsonb) as x(${sql.raw(columns)})`
  // The requested services, joined to the ids of their upserted rows.
  const savedRows = sql`${rows} join served s
    on s.subject_id = x.subject and s.order_service_id = x.service and s.image_id is not distinct from x.image`
  return [
    sql`
    served as (
      insert into cart_order_services (studio_id, cart_id, subject_id, order_service_id, image_id, kind, price_cents,
                                       created_at, updated_at)
      select ${studioId}::bigint, ${cartId}::bigint, x.subject, x.service, x.image, x.kind, x.cents, ${at}::timestamptz,
             ${at}::timestamptz
        from ${rows} where ${onlyIf}
      on conflict (studio_id, cart_id, subject_id, order_service_id, image_id) do update
        set price_cents = excluded.price_cents, updated_at = excluded.updated_at
      returning id, subject_id, order_service_id, image_id)`,
    sql`
    retouched as (
      insert into cart_retouches (studio_id, cart_order_service_id, level)
      select ${studioId}::bigint, s.id, x.level from ${savedRows} where x.kind = 'retouch'
      on conflict (studio_id, cart_order_service_id) do update set level = excluded.level)`,
    sql`
    personalized as (
      insert into cart_personalizations (studio_id, cart_order_service_id, name_on_wallets, name_on_all_prints,
                                         year_on_wallets, year_on_all_prints, name_to_print, year_to_print)
      select ${studioId}::bigint, s.id, x."nameOnWallets", x."nameOnAllPrints", x."yearOnWallets", x."yearOnAllPrints",
             x."nameToPrint", x."yearToPrint"
        from ${savedRows} where x.kind = 'personalization'
      on conflict (studio_id, cart_order_service_id) do update
        set name_on_wallets = excluded.name_on_wallets, name_on_all_prints = excluded.name_on_all_prints,
            year_on_wallets = excluded.year_on_wallets, year_on_all_prints = excluded.year_on_all_prints,
            name_to_print = excluded.name_to_print, year_to_print = excluded.year_to_print)`,
  ]
}
