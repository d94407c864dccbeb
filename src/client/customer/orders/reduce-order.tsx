import { useId, useState } from 'react'
import type { Order } from '#contract/customer/checkout-calls.ts'
import { quoteReduction, type ReductionQuote, reduceOrder } from '#contract/customer/order-adjustment-calls.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { toast, toastError } from '#ui/toast/toast.ts'
import { type ChangedQuantities, changedLines, useOrderQuote } from '../shared/order/use-order-quote.ts'
import styles from './orders.module.css'

type ReduceOrderProps = { order: Order; onChanged: () => void }
type Line = Order['lines'][number] & { lineId: number }

const isPackage = (line: Order['lines'][number]): line is Line => typeof line.lineId === 'number'

/** The order's packages, if some of them can be removed without cancelling the order. */
const packagesOn = ({ lines }: Order): Line[] => {
  const packages = lines.filter(isPackage)
  return packages.length > 1 || packages.some(({ quantity }) => quantity > 1) ? packages : []
}

const unreachable = 'The studio cannot be reached right now. Try again when you are connected; nothing is done twice'

/** Removes packages or reduces their quantity. The refund is shown before the confirming tap. */
export const ReduceOrder = ({ order, onChanged }: ReduceOrderProps) => {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  if (packagesOn(order).length === 0) return null
  const close = () => {
    setOpen(false)
    // The focused element is about to disappear.
    document.getElementById(`${id}-open`)?.focus()
  }
  return (
    <>
      <Button
        id={`${id}-open`}
        variant="secondary"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        Take something off
      </Button>
      <div id={id} hidden={!isOpen} className={styles.takeOff}>
        {isOpen && <Choosing order={order} onChanged={onChanged} onClose={close} />}
      </div>
    </>
  )
}

// The order is reloaded once it is changed: the choices here refer to the order as it was opened.
const Choosing = ({ order, onChanged, onClose }: ReduceOrderProps & { onClose: () => void }) => {
  const [lines] = useState(() => packagesOn(order))
  const [chosen, setChosen] = useState<ChangedQuantities>({})
  const [busy, setBusy] = useState(false)
  const quantities = changedLines(lines, chosen)
  const { priced, problem, again: retry } = useOrderQuote(quoteReduction, order, quantities)
  const send = async ({ backCents, cancels }: ReductionQuote) => {
    setBusy(true)
    const params = { jobId: order.jobId, orderId: order.orderNumber }
    const response = await callApi(reduceOrder, { params, body: { packages: quantities, backCents } })
    setBusy(false)
    if (!response.ok) {
      toastError(response.status === 'unreachable' ? [unreachable] : response.errors)
      return retry()
    }
    toast(cancels ? 'Your order is cancelled' : 'Your order is changed', 'success')
    onChanged()
    onClose()
  }
  return (
    <>
      {lines.map((line) => (
        <Field key={line.lineId} label={`${line.packageName} for ${line.personName}`}>
          <Select
            value={String(chosen[line.lineId] ?? line.quantity)}
            disabled={busy}
            options={choicesOf(line)}
            onValue={(value) => setChosen({ ...chosen, [line.lineId]: Number(value) })}
          />
        </Field>
      ))}
      <div aria-live="polite">
        {quantities.length > 0 && <WhatFollows order={order} priced={priced} problem={problem} onAgain={retry} />}
      </div>
      <div className={styles.actions}>
        {quantities.length > 0 && priced && (
          <Button variant={priced.cancels ? 'danger' : 'primary'} loading={busy} onClick={() => void send(priced)}>
            {priced.cancels ? 'Cancel the order' : 'Take it off'}
          </Button>
        )}
        <Button variant="quiet" disabled={busy} onClick={onClose}>
          Keep everything
        </Button>
      </div>
    </>
  )
}

const choicesOf = ({ quantity }: Line) =>
  Array.from({ length: quantity + 1 }, (_, less) => {
    const left = quantity - less
    return {
      value: String(left),
      label: left === 0 ? 'None: take it off' : less === 0 ? `${left}, as ordered` : `${left}`,
    }
  })

type FollowsProps = { order: Order; priced: ReductionQuote | null; problem: CallFailure | null; onAgain: () => void }

const WhatFollows = ({ order, priced, problem, onAgain }: FollowsProps) => {
  if (problem) {
    const isAway = problem.status === 'unreachable'
    const action = (
      <Button size="sm" variant="secondary" onClick={onAgain}>
        Try again
      </Button>
    )
    return (
      <Notice
        tone="attention"
        title={isAway ? 'This needs a connection' : problem.errors[0]}
        {...(isAway && { action })}
      >
        {isAway && 'Your order stands as it is, and so does what you chose here.'}
      </Notice>
    )
  }
  if (!priced) return <p className={styles.soft}>Working out what goes back…</p>
  return (
    <Notice
      tone={priced.cancels ? 'attention' : 'info'}
      title={priced.cancels ? 'That is the last of it: the order is cancelled' : backWords(order, priced)}
    >
      {followingWords(order, priced).map((label) => (
        <p key={label}>{label}</p>
      ))}
    </Notice>
  )
}

const backWords = ({ cardEnding }: Order, { backCents }: ReductionQuote): string => {
  if (backCents === 0) return 'Nothing goes back'
  return `${formatMoney(backCents)} will go back to ${cardEnding ? `your card ending ${cardEnding}` : 'where it came from'}`
}

const followingWords = (order: Order, priced: ReductionQuote): string[] => {
  if (priced.cancels) return [`${backWords(order, priced)}.`]
  const { goesToo, endedCode, totals } = priced
  return [
    ...(goesToo.length > 0 ? [`${goesToo.join(', ')} cannot stand without it and goes too.`] : []),
    ...(endedCode ? [`The code ${endedCode} does not hold for what is left.`] : []),
    `What is left comes to ${formatMoney(totals.totalCents)}.`,
  ]
}
