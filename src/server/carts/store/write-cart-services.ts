import { type RawBuilder, sql } from 'kysely'
import type { Cart } from '#domain/cart/cart.ts'
import { cartServicesOf, matchesServiceKey } from '#domain/cart/order-services.ts'
import { toCents } from '#domain/pricing/money.ts'

type Part = RawBuilder<unknown>
type Change = {
  readonly studioId: number
  readonly cartId: number
  readonly before: Cart
  readonly after: Cart
  readonly at: Date
}

const changedIn = <Entry>(before: readonly Entry[], after: readonly Entry[]): Entry[] => {
  // The cart rules copy what they change and share the rest, so identity shows what changed.
  const known = new Set(before)
  return after.filter((one) => !known.has(one))
}

const rowsOf = (before: Cart, after: Cart) => {
  const [was, is] = [before.cartOrderServicesDetails, after.cartOrderServicesDetails]
  return [
    ...changedIn(was.cartOrderServices, is.cartOrderServices).map((one) => ({ kind: 'service', image: null, one })),
    ...changedIn(was.retouches, is.retouches).map((one) => ({ kind: 'retouch', image: one.imageLookupId, one })),
    ...changedIn(was.personalizations, is.personalizations).map((one) => ({
      kind: 'personalization',
      image: null,
      one,
    })),
  ].map(({ kind, image, one }) => {
    const { id: _, cartId: __, subjectId, personId: ___, orderServiceId, price, ...more } = one
    return { kind, image, subject: subjectId, service: orderServiceId, cents: toCents(price), ...more }
  })
}

const columns = `kind text, image bigint, subject bigint, service bigint, cents integer, level text,
  "nameOnWallets" boolean, "nameOnAllPrints" boolean, "yearOnWallets" boolean, "yearOnAllPrints" boolean,
  "nameToPrint" text, "yearToPrint" text`

/** The changes of order services between two carts, as parts of one `with`; empty where there are none. */
export const serviceWriteStatements = (change: Change): Part[] => {
  const { before, after } = change
  // Matched by content, not by id: a service written by the previous mutation has no id here yet.
  const kept = cartServicesOf(after)
  const lost = cartServicesOf(before).filter(
    (one) => !kept.some(matchesServiceKey({ ...one, imageLookupId: one.imageLookupId ?? null })),
  )
  const wanted = rowsOf(before, after)
  return [
    ...(lost.length > 0 ? [removal(change, lost)] : []),
    ...(wanted.length > 0 ? upserts(change, JSON.stringify(wanted)) : []),
  ]
}

type Entry = ReturnType<typeof cartServicesOf>[number]

const removal = ({ studioId, cartId }: Change, entries: readonly Entry[]): Part => {
  const list = entries.map(({ subjectId, orderServiceId, imageLookupId = null }) => ({
    subject: subjectId,
    service: orderServiceId,
    image: imageLookupId,
  }))
  return sql`
  lost_services as (
    delete from cart_order_services o
     using jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as x(subject bigint, service bigint, image bigint)
     where o.studio_id = ${studioId} and o.cart_id = ${cartId} and o.subject_id = x.subject
       and o.order_service_id = x.service and o.image_id is not distinct from x.image)`
}

const upserts = ({ studioId, cartId, at }: Change, wanted: string): Part[] => {
  const rows = sql`jsonb_to_recordset(${wanted}::jsonb) as x(${sql.raw(columns)})`
  // The rows of the upsert joined to the requested services.
  const matched = sql`${rows} join served s
    on s.subject_id = x.subject and s.order_service_id = x.service and s.image_id is not distinct from x.image`
  return [
    sql`
    served as (
      insert into cart_order_services (studio_id, cart_id, subject_id, order_service_id, image_id, kind, price_cents,
                                       created_at, updated_at)
      select ${studioId}::bigint, ${cartId}::bigint, x.subject, x.service, x.image, x.kind, x.cents, ${at}::timestamptz,
             ${at}::timestamptz
        from ${rows}
      on conflict (studio_id, cart_id, subject_id, order_service_id, image_id) do update
        set price_cents = excluded.price_cents, updated_at = excluded.updated_at
      returning id, subject_id, order_service_id, image_id)`,
    sql`
    retouched as (
      insert into cart_retouches (studio_id, cart_order_service_id, level)
      select ${studioId}::bigint, s.id, x.level from ${matched} where x.kind = 'retouch'
      on conflict (studio_id, cart_order_service_id) do update set level = excluded.level)`,
    sql`
    personalized as (
      insert into cart_personalizations (studio_id, cart_order_service_id, name_on_wallets, name_on_all_prints,
                                         year_on_wallets, year_on_all_prints, name_to_print, year_to_print)
      select ${studioId}::bigint, s.id, x."nameOnWallets", x."nameOnAllPrints", x."yearOnWallets", x."yearOnAllPrints",
             x."nameToPrint", x."yearToPrint"
        from ${matched} where x.kind = 'personalization'
      on conflict (studio_id, cart_order_service_id) do update
        set name_on_wallets = excluded.name_on_wallets, name_on_all_prints = excluded.name_on_all_prints,
            year_on_wallets = excluded.year_on_wallets, year_on_all_prints = excluded.year_on_all_prints,
            name_to_print = excluded.name_to_print, year_to_print = excluded.year_to_print)`,
  ]
}
