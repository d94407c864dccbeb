import type { CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import type { Address, Totals } from '#contract/shapes/order-structs.ts'
import type { CartPackageItem, LineSnapshot } from '#domain/cart/cart.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { Generated, Json, Moment } from './columns.ts'

export interface OrdersTables {
  checkouts: Checkouts
  payment_attempts: PaymentAttempts
  batches: Batches
  orders: Orders
  order_lines: OrderLines
  ledger: Ledger
  ledger_days: LedgerDays
  ledger_taxes: LedgerTaxes
  credit_notes: CreditNotes
  order_moves: OrderMoves
  packets: Packets
  packet_orders: PacketOrders
  downloads: Downloads
  promotion_uses: PromotionUses
}

type Checkouts = {
  studio_id: number
  id: string
  cart_id: number
  session_id: number
  details: Json<CheckoutDetails | null>
  promotion_id: number | null
  promotion_code_id: number | null
  shown_totals: Json<Totals | null>
  shown_totals_hash: string | null
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

/**
 * The change that a further payment of an order pays for. `isDone`: true once it is applied, false if the order had
 * changed.
 */
export type OrderChange = {
  orderId: number
  sessionId: number
  packages: { lineId: number; quantity: number }[]
  /** The packages and total of the order when the change was priced. */
  before: { packages: { lineId: number; quantity: number }[]; totalCents: number }
  isDone?: boolean
}

type PaymentAttempts = {
  studio_id: number
  id: string
  checkout_id: string
  state: 'charging' | 'requires_action' | 'succeeded' | 'declined' | 'unknown' | 'abandoned'
  pay_method: 'card' | 'none'
  provider: string
  provider_reference: string | null
  payment_token: string | null
  amount_cents: number
  currency: Generated<string>
  platform_fee_cents: Generated<number>
  account: string | null
  totals: Json<Totals>
  next_action: Json<{ clientSecret: string } | null>
  decline_code: string | null
  decline_message: string | null
  card_ending: string | null
  order_change: Json<OrderChange | null>
  asked_at: Moment | null
  settled_at: Moment | null
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type Batches = {
  studio_id: number
  id: Generated<number>
  job_id: number
  name: string
  state: Generated<'open' | 'closed' | 'submitted'>
  closes_at: Moment | null
  closed_at: Moment | null
  closed_by: number | null
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type Orders = {
  studio_id: number
  id: Generated<number>
  order_number: string
  job_id: number
  cart_id: number | null
  checkout_id: string | null
  session_id: number | null
  entered_by: number | null
  order_method: OrderMethod
  state: Generated<'placed' | 'batched' | 'submitted' | 'inProduction' | 'shipped' | 'cancelled'>
  awaits_poses: Generated<boolean>
  first_name: string
  last_name: string
  email: string
  email_key: string
  phone: string | null
  billing_address: Json<Address | null>
  shipping_address: Json<Address | null>
  pay_method: 'card' | 'cash' | 'check' | 'none'
  card_ending: string | null
  shipping_option_code: string | null
  is_part_of_batch_order: Generated<boolean>
  batch_id: number | null
  promotion_code: string | null
  packages_cents: number
  services_cents: Generated<number>
  discount_cents: Generated<number>
  late_fee_cents: Generated<number>
  shipping_cents: Generated<number>
  tax_cents: Generated<number>
  total_cents: number
  totals: Json<Totals>
  tax_state: Generated<string>
  currency: Generated<string>
  job_version: Generated<string>
  note: string | null
  tracking_number: string | null
  version: Generated<number>
  placed_at: Moment
  moved_at: Moment
  updated_at: Generated<Moment>
  entry_key: string | null
  sought_key: Generated<string>
}

type OrderLines = {
  studio_id: number
  id: Generated<number>
  order_id: number
  position: number
  kind: 'package' | 'service' | 'retouch' | 'personalization'
  line_id: string | null
  subject_id: number | null
  package_id: number | null
  package_version: number | null
  order_service_id: number | null
  green_screen_id: number | null
  name: string
  quantity: number
  unit_cents: number
  amount_cents: number
  discount_cents: Generated<number>
  tax_cents: Generated<number>
  needs_poses: Generated<boolean>
  snapshot: Json<LineSnapshot>
  content: Json<CartPackageItem[] | null>
  version: Generated<number>
  updated_at: Generated<Moment>
  poses_asked_at: Moment | null
}

type Ledger = {
  studio_id: number
  id: Generated<number>
  order_id: number
  kind: 'charge' | 'refund'
  state: 'pending' | 'done' | 'failed'
  amount_cents: number
  platform_fee_cents: Generated<number>
  attempt_id: string | null
  account: string | null
  provider: string
  provider_reference: string | null
  idempotency_key: string | null
  refund_of: number | null
  reason: string | null
  made_by: number | null
  created_at: Generated<Moment>
  settled_at: Moment | null
}

type LedgerTaxes = {
  studio_id: number
  ledger_id: number
  rate_millionths: number
  goods_cents: number
  tax_cents: number
}

type LedgerDays = {
  studio_id: number
  day: string
  provider: string
  transaction: string
  charged_cents: number
  refunded_cents: number
}

/** `refund_id` is the id of the refund in the ledger. */
type CreditNotes = {
  studio_id: number
  refund_id: number
  year: number
  position: number
  number: Generated<string>
  issued_at: Moment
}

type OrderMoves = {
  studio_id: number
  id: Generated<number>
  order_id: number
  from_state: string | null
  to_state: string
  moved_by: number | null
  reason: string | null
  moved_at: Moment
}

type Packets = {
  studio_id: number
  id: Generated<number>
  job_id: number
  batch_id: number | null
  state: Generated<'waiting' | 'making' | 'ready' | 'sent' | 'failed'>
  files_total: Generated<number>
  files_done: Generated<number>
  folder_key: string | null
  manifest_json_key: string | null
  manifest_csv_key: string | null
  error: string | null
  made_by: number | null
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
  sent_at: Moment | null
}

type PacketOrders = {
  studio_id: number
  packet_id: number
  order_id: number
}

type Downloads = {
  studio_id: number
  id: Generated<number>
  link_id: string
  order_id: number
  order_line_id: number | null
  kind: 'single' | 'all'
  subject_id: number | null
  image_id: number | null
  expires_at: Moment
  revoked_at: Moment | null
  times_downloaded: Generated<number>
  downloaded_at: Moment | null
  told_at: Moment | null
  created_at: Generated<Moment>
}

type PromotionUses = {
  studio_id: number
  id: Generated<number>
  promotion_id: number
  promotion_code_id: number | null
  checkout_id: string
  order_id: number | null
  email_key: string
  amount_cents: number
  state: 'held' | 'used' | 'released'
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}
