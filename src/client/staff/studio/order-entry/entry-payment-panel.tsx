import type { Totals } from '#contract/customer/checkout-calls.ts'
import { changeDue, type PaperPayment } from '#domain/orders/paper-order.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { RadioGroup } from '#ui/form/radio-group.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { type EntryFormValues, parseCents } from './entry-form-values.ts'
import styles from './order-entry.module.css'
import type { EntryErrors } from './use-entry-price.ts'

type EntryPaymentPanelProps = {
  values: EntryFormValues
  totals: Totals | undefined
  faults: EntryErrors
  busy: boolean
  onChange: (change: Partial<EntryFormValues>) => void
}

const rowsOf = (totals: Totals) =>
  [
    { label: 'Packages', cents: totals.packagesCents },
    { label: 'Services', cents: totals.servicesCents },
    { label: 'Discount', cents: -totals.discountCents },
    { label: 'Shipping', cents: totals.shippingCents },
    { label: 'Tax', cents: totals.taxCents },
  ].filter(({ cents }, index) => index === 0 || cents !== 0)

const methods = [
  { value: 'cash', label: 'Cash' },
  { value: 'check', label: 'Check' },
] as const satisfies readonly { value: PaperPayment; label: string }[]

/** Total, amount received and change. */
export const EntryPaymentPanel = ({ values, totals, faults, busy, onChange }: EntryPaymentPanelProps) => {
  const { payment } = values
  const set = (change: Partial<EntryFormValues['payment']>) => onChange({ payment: { ...payment, ...change } })
  const received = parseCents(payment.received)
  const change = totals && received !== null ? changeDue(totals.totalCents, received) : null
  return (
    <section className={styles.till} aria-label="Payment">
      <dl className={styles.sums}>
        {totals &&
          rowsOf(totals).map(({ label, cents }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="tabular">{formatMoney(cents)}</dd>
            </div>
          ))}
        <div className={styles.total}>
          <dt>Total</dt>
          <dd className="tabular">{formatMoney(totals?.totalCents ?? 0)}</dd>
        </div>
      </dl>
      <RadioGroup
        legend="Paid by"
        options={methods}
        value={payment.method}
        onValue={(method) => set({ method })}
        className={styles.methods}
      />
      {payment.method === 'check' && (
        <Field label="Check number" errors={faults['payment.checkNumber']}>
          <TextInput
            autoComplete="off"
            inputMode="numeric"
            value={payment.checkNumber}
            onValue={(checkNumber) => set({ checkNumber })}
          />
        </Field>
      )}
      <Field label="Received" hint="In dollars" errors={faults['payment.receivedCents']}>
        <TextInput
          autoComplete="off"
          inputMode="decimal"
          value={payment.received}
          data-received
          onValue={(value) => set({ received: value })}
        />
      </Field>
      <p className={styles.change} role="status">
        {change === null ? '' : `Change ${formatMoney(change)}`}
      </p>
      <Button type="submit" size="lg" wide loading={busy}>
        Order
      </Button>
      <p className={styles.hint}>
        <kbd>Enter</kbd> goes on, <kbd>Ctrl</kbd> <kbd>Enter</kbd> orders
      </p>
    </section>
  )
}
