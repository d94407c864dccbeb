import { sql } from 'kysely'
import type { CartReminder } from '#contract/customer/reminder-calls.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import {
  defaultReminderPreferences,
  offeredReminders,
  type ReminderKind,
  type ReminderPreferences,
} from '#domain/reminders/reminder-kinds.ts'
import { email as emailRule, isValid, required, validate } from '#domain/shared/validators.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import { countFailures, dayMinutes, recordFailure } from '../access/brute-force/failure-counts.ts'
import { tooManyWaiting } from '../access/brute-force/throttle.ts'
import type { JobAccess } from '../access/sessions/sessions.ts'
import type { Deps } from '../deps.ts'
import { hashOf } from '../http/hash.ts'
import { type Problem, problem } from '../http/problem.ts'
import { hasPublishedImages, isAfterOrderBy } from '../jobs/store/order-availability.ts'

/** Opt-ins from one IP address in ten minutes: enough for a hall of parents. */
const maxOptInsPerClient = 60
/** Opt-ins of one email address in a day, so that no one can fill the mailbox of someone else. */
const maxOptInsPerEmail = 10

/** A cart of the session that makes the request. */
type OwnCart = JobKey & { readonly cartId: number }

/** The cart if it is a live one of the session, undefined for any other. */
export const findOwnCart = (job: JobKey, { carts }: Pick<JobAccess, 'carts'>, cartId: number): OwnCart | undefined =>
  carts.some(({ id }) => id === cartId) ? { ...job, cartId } : undefined

type Row = {
  preferences: Partial<ReminderPreferences>
  orderMethod: OrderMethod
  hasOrderBy: boolean
  areImagesOnline: boolean
  reminder: CartReminder['reminder']
}

/** Reads what a cart can be reminded of, and its opt-in. */
export const readCartReminder = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { studioId, cartId }: OwnCart,
): Promise<CartReminder | Problem<'not-found'>> => {
  const now = clock()
  const { rows } = await sql<Row>`
    select s.reminder_preferences as preferences, c.order_method as "orderMethod", ${hasPublishedImages(now)} as "areImagesOnline",
           j.order_by is not null and not ${isAfterOrderBy(now)} as "hasOrderBy",
           (select json_build_object('email', r.email, 'kinds', r.kinds) from reminders r
             where r.studio_id = c.studio_id and r.cart_id = c.id and r.unsubscribed_at is null) as reminder
      from carts c
      join jobs j on j.studio_id = c.studio_id and j.id = c.job_id
      join studios s on s.id = c.studio_id
     where c.studio_id = ${studioId} and c.id = ${cartId}`.execute(db)
  const [row] = rows
  if (!row) return problem('not-found')
  const { preferences, reminder, ...offer } = row
  const offered = offeredReminders({ ...offer, preferences: { ...defaultReminderPreferences, ...preferences } })
  return { offered, reminder }
}

type OptIn = {
  readonly cart: OwnCart
  readonly email: string
  readonly kinds: readonly ReminderKind[]
  /** The IP address of the client. */
  readonly address: string
}

/**
 * Opts in to reminders of a cart. A repeated or changed opt-in keeps its row, so that no occasion is emailed twice. Whether
 * the address has unsubscribed is not revealed: the emails check it.
 */
export const saveCartReminder = async (
  deps: Deps,
  { cart, email, kinds, address }: OptIn,
): Promise<CartReminder | Problem<'not-found' | 'refused' | 'slow-down'>> => {
  const values = { email: email.trim().toLowerCase() }
  const fields = validate(values, { email: [required(), emailRule()] })
  if (!isValid(fields)) return problem('refused', fields.email, { fields })
  const release = await deps.semaphore.take(`remind ${hashOf(values.email)}`, oneAtATime)
  if (!release) return tooManyWaiting()
  try {
    return await saveOptIn(deps, { cart, email: values.email, kinds, address })
  } finally {
    release()
  }
}

/** Opt-ins of one address are counted one after the other, so that parallel ones do not pass its limit. */
const oneAtATime = { pace: { atOnce: 1 }, maxWaiting: 20 }

const saveOptIn = async (
  deps: Deps,
  { cart, email, kinds, address }: OptIn,
): Promise<CartReminder | Problem<'not-found' | 'slow-down'>> => {
  const counters = [
    { kind: 'address', key: `remind ${address}` },
    { kind: 'target', key: hashOf(`remind ${email}`), minutes: dayMinutes },
  ] as const
  const [clientCount = 0, emailCount = 0] = await countFailures(deps, counters)
  if (clientCount >= maxOptInsPerClient || emailCount >= maxOptInsPerEmail)
    return problem('slow-down', undefined, { retryAfterSeconds: 600 })
  const { studioId, jobId, cartId } = cart
  const now = deps.clock()
  const kindsJson = JSON.stringify([...new Set(kinds)].toSorted())
  const changed = await sql`
    insert into reminders as r (studio_id, job_id, cart_id, email, kinds, created_at)
    values (${studioId}, ${jobId}, ${cartId}, ${email}, ${kindsJson}, ${now})
    on conflict (studio_id, cart_id) do update
      set email = excluded.email, kinds = excluded.kinds, created_at = excluded.created_at, unsubscribed_at = null
      where r.unsubscribed_at is not null or r.email <> excluded.email or r.kinds <> excluded.kinds
    returning 1 as changed`.execute(deps.db)
  if (changed.rows.length > 0)
    await recordFailure(deps, [
      { kind: 'address', key: counters[0].key },
      { kind: 'target', key: counters[1].key },
    ])
  return await readCartReminder(deps, cart)
}

/** Stops the reminders of a cart; the customer can opt in again. */
export const stopCartReminder = async (deps: Deps, cart: OwnCart): Promise<CartReminder | Problem<'not-found'>> => {
  await deps.db
    .updateTable('reminders')
    .set({ unsubscribed_at: deps.clock() })
    .where('studio_id', '=', cart.studioId)
    .where('cart_id', '=', cart.cartId)
    .where('unsubscribed_at', 'is', null)
    .execute()
  return await readCartReminder(deps, cart)
}
