import { addressRules } from '#server/adapters/address-rules.ts'
import { taxTable } from '#server/adapters/tax-table.ts'
import type { DemoServices } from '#server/demo/seed-orders.ts'
import { openTestPayment } from '#server/payments/adapters/payment-adapters.ts'

/** The services that `main.ts` seeds the demo with. */
export const demoServices =
  (dataDir: string): DemoServices =>
  ({ db, clock }) => ({ ...openTestPayment(dataDir, clock), tax: taxTable(db), addresses: addressRules })
