import { sql } from 'kysely'
import type { Cart } from '#domain/cart/cart.ts'
import { type CartRef, readCart } from '#server/carts/store/read-cart.ts'
import type { Deps } from '#server/deps.ts'
import { hasFeature } from '#server/jobs/store/job-services.ts'
import {
  automaticPromotionsJson,
  joinPromotionCode,
  type PromotionRow,
  promotionJson,
  promotionOf,
} from '#server/orders/sale/checkout-promotion.ts'
import { taxRequestOfSale } from '#server/orders/sale/price-sale.ts'
import {
  type Sale,
  type SaleTermsRow,
  type SavedCheckout,
  saleTermsColumns,
  saleTermsOf,
} from '#server/orders/sale/sale-terms.ts'
import type { TaxRequest } from '#server/ports/tax.ts'

/** The data that determine a checkout, read outside any transaction. */
export type CheckoutContext = Sale & { readonly cart: Cart & { id: number } }

type CheckoutContextRow = SaleTermsRow & {
  checkout: SavedCheckout | null
  promotion: PromotionRow | null
  automatic: PromotionRow[]
}

/** Reads the context of the session's current cart; undefined if there is no cart. */
export const readCheckoutContext = async (
  { db, clock }: Deps,
  cartRef: CartRef,
): Promise<CheckoutContext | undefined> => {
  const now = clock()
  const cart = await readCart(db, cartRef, now)
  if (!cart || cart.id === null) return undefined
  const { job, orderMethod } = cartRef
  const packageIds = cart.cartPackages.map((line) => line.packageId)
  const { rows } = await sql<CheckoutContextRow>`
    select ${saleTermsColumns({ orderMethod, packageIds, now })},
           (select json_build_object('id', k.id, 'details', k.details, 'promotionId', k.promotion_id,
              'promotionCodeId', k.promotion_code_id) from checkouts k
             where k.studio_id = j.studio_id and k.cart_id = ${cart.id}) as checkout,
           (select ${promotionJson} from checkouts k
              join promotions q on q.studio_id = k.studio_id and q.id = k.promotion_id
              ${joinPromotionCode(sql`k.promotion_code_id`)}
             where k.studio_id = j.studio_id and k.cart_id = ${cart.id} and ${hasFeature('promotions')}) as promotion,
           ${automaticPromotionsJson(now, sql`select x.id, x.details from checkouts x where x.studio_id = j.studio_id and x.cart_id = ${cart.id}`)} as automatic
      from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${job.studioId} and j.id = ${job.jobId}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`job ${job.jobId} was authorized and does not exist`)
  return {
    ...saleTermsOf(row, { studioId: job.studioId, orderMethod, now }),
    cart: { ...cart, id: cart.id },
    checkout: row.checkout,
    promotion: row.promotion && promotionOf(row.promotion),
    automaticPromotions: row.automatic.map(promotionOf),
  }
}

/** The request for the tax of the cart of a checkout, as it is now; undefined if it was ordered, is empty, or has no address. */
export const taxRequestOfCheckout = async (
  deps: Deps,
  { studioId, checkoutId }: { studioId: number; checkoutId: string },
): Promise<TaxRequest | undefined> => {
  const cart = await deps.db
    .selectFrom('checkouts as k')
    .innerJoin('carts as c', (join) => join.onRef('c.studio_id', '=', 'k.studio_id').onRef('c.id', '=', 'k.cart_id'))
    .select(['c.session_id', 'c.job_id', 'c.order_method'])
    .where('k.studio_id', '=', studioId)
    .where('k.id', '=', checkoutId)
    .where('c.state', '<>', 'ordered')
    .executeTakeFirst()
  if (!cart) return undefined
  const job = { studioId, jobId: cart.job_id }
  const cartRef = { session: { id: cart.session_id }, job, orderMethod: cart.order_method }
  const context = await readCheckoutContext(deps, cartRef)
  return context && context.cart.cartPackages.length > 0 ? taxRequestOfSale(deps, context) : undefined
}
