import { type RefObject, useRef, useState } from 'react'
import type { LargerOrder } from '#contract/customer/order-adjustment-calls.ts'
import type { FieldErrors } from '#domain/shared/validators.ts'
import { TakerFields, TestPayments } from '../card/provider-fields.tsx'
import { type CardTaker, takerOf } from '../card/use-card.ts'
import styles from '../checkout.module.css'
import { emptyForm } from '../form/checkout-form-values.ts'
import type { MakeCard } from '../stripe/stripe-card-fields.tsx'
import { checkCard, emptyCard, type TypedCard, tokenFor } from '../test-provider/test-card.ts'

const noErrors: FieldErrors = {}

export type MoreCardState = {
  taker: CardTaker
  typed: TypedCard
  type: (card: TypedCard) => void
  errors: FieldErrors
  maker: RefObject<MakeCard | null>
  making: boolean
  /** A token of the card, made anew for each tap: it pays once. Null where nothing is to be paid; undefined where the card is not good yet. */
  token: () => Promise<string | null | undefined>
}

/** The card that pays for more of an order; it lives with the screen. */
export const useMoreCard = (priced: LargerOrder | null): MoreCardState => {
  const [typed, type] = useState(emptyCard)
  const [asked, setAsked] = useState(false)
  const [making, setMaking] = useState(false)
  const maker = useRef<MakeCard>(null)
  const taker = takerOf(priced?.payment)
  const faults = taker.by === 'test' ? checkCard(typed, new Date()) : noErrors

  const ofStripe = async (): Promise<string | undefined> => {
    if (!priced) return undefined
    const { customer, billingAddress } = priced.payer
    setMaking(true)
    const form = { ...emptyForm, customer, billingAddress: billingAddress ?? emptyForm.billingAddress }
    const made = await maker.current?.make(form)
    setMaking(false)
    return made?.token
  }
  const token = async (): Promise<string | null | undefined> => {
    if (priced?.chargeCents === 0) return null
    setAsked(true)
    if (taker.by === 'stripe') return await ofStripe()
    const isGood = taker.by === 'test' && Object.keys(faults).length === 0
    return isGood ? (tokenFor(typed.number) ?? undefined) : undefined
  }
  return { taker, typed, type, errors: asked ? faults : noErrors, maker, making, token }
}

/** Where the card is asked for, by whoever takes it. */
export const MoreCard = ({ card, cents }: { card: MoreCardState; cents: number }) => (
  <section className={styles.section} aria-labelledby="more-card">
    <h2 id="more-card">Card</h2>
    {card.taker.by === 'test' && <TestPayments />}
    <TakerFields {...card} cents={cents} kept="order" />
  </section>
)
