import type { Generated, Json, Moment } from './columns.ts'

export interface PayoutsTables {
  payment_accounts: PaymentAccounts
  payouts: Payouts
  account_entries: AccountEntries
  payment_differences: PaymentDifferences
}

/** Where a pull of an account's books continues: the list it reads, and the page after which. */
export type PullCursor =
  | { list: 'entries' | 'payouts'; after: string | null }
  | { list: 'payoutEntries'; payoutId: number; payout: string; after: string | null }

type PaymentAccounts = {
  studio_id: number
  provider: string
  account: string
  pulled_until: Moment | null
  pull_started_at: Moment | null
  pull_cursor: Json<PullCursor | null>
}

type Payouts = {
  studio_id: number
  id: Generated<number>
  provider: string
  account: string
  reference: string
  state: 'pending' | 'paid' | 'failed'
  amount_cents: number
  arrives_on: string
  created_at: Moment
  has_entries: boolean
  is_itemized: Generated<boolean>
}

type AccountEntries = {
  studio_id: number
  id: Generated<number>
  provider: string
  account: string
  reference: string
  kind: 'charge' | 'refund' | 'fee' | 'platform-fee' | 'dispute' | 'payout' | 'other'
  amount_cents: number
  source: string | null
  payout_id: number | null
  created_at: Moment
}

type PaymentDifferences = {
  studio_id: number
  id: Generated<number>
  provider: string
  account: string
  reference: string
  reason: 'unknownCharge' | 'unknownRefund' | 'amountDiffers' | 'missingAtProvider' | 'otherEntry' | 'payoutDiffers'
  order_id: number | null
  our_cents: number
  provider_cents: number
  found_at: Moment
  resolved_at: Moment | null
  closed_by: string | null
  note: Generated<string>
}
