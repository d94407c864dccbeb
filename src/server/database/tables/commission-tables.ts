import type { Generated, Moment } from './columns.ts'

export interface CommissionTables {
  commission_rates: CommissionRates
  commission_payments: CommissionPayments
  commission_entries: CommissionEntries
}

/** Days (`2027-04-15`) are in the studio's time zone. */
type CommissionRates = {
  studio_id: number
  id: Generated<number>
  organization_id: number
  job_id: number | null
  kind: 'percent' | 'order' | 'package'
  basis_points: number | null
  amount_cents: number | null
  starts_on: string
  made_by: number | null
  created_at: Generated<Moment>
}

type CommissionPayments = {
  studio_id: number
  id: Generated<number>
  organization_id: number
  through_day: string
  paid_on: string
  amount_cents: number
  note: Generated<string>
  made_by: number | null
  created_at: Generated<Moment>
}

type CommissionEntries = {
  studio_id: number
  ledger_id: number
  organization_id: number
  order_id: number
  rate_id: number
  settled_at: Moment
  commission_cents: number
  is_reversal: Generated<boolean>
  payment_id: number | null
}
