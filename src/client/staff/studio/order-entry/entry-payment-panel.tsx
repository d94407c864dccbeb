import type { Totals } from '#contract/shapes/order-structs.ts'
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

const subtotalRows = (totals: Totals) =>
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

/** Totals of the order, payment method, amount received and change. */
export const EntryPaymentPanel = ({ values, totals, faults, busy, onChange }: EntryPaymentPanelProps) => {
  const { payment } = values
  const setPayment = (changes: Partial<EntryFormValues['payment']>) => onChange({ payment: { ...payment, ...changes } })
  const receivedCents = parseCents(payment.received)
  const changeCents = totals && receivedCents !== null ? changeDue(totals.totalCents, receivedCents) : null
  return (
    <section className={styles.payment} aria-label="Payment">
      <dl className={styles.subtotals}>
        {totals &&
          subtotalRows(totals).map(({ label, cents }) => (
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
        onValue={(method) => setPayment({ method })}
        className={styles.methods}
      />
      {payment.method === 'check' && (
        <Field label="Check number" errors={faults['payment.checkNumber']}>
          <TextInput
            autoComplete="off"
            inputMode="numeric"
            value={payment.checkNumber}
            onValue={(checkNumber) => setPayment({ checkNumber })}
          />
        </Field>
      )}
      <Field label="Received" hint="In dollars" errors={faults['payment.receivedCents']}>
        <TextInput
          autoComplete="off"
          inputMode="decimal"
          value={payment.received}
          data-received
          onValue={(received) => setPayment({ received })}
        />
      </Field>
      <p className={styles.change} role="status">
        {changeCents === null ? '' : `Change ${formatMoney(changeCents)}`}
      </p>
      <Button type="submit" size="lg" wide loading={busy}>
        Order
      </Button>
      <p className={styles.hint}>
        <kbd>Enter</kbd> next, <kbd>Ctrl</kbd> <kbd>Enter</kbd> orders
      </p>
    </section>
  )
}
