import type { ComponentType, Ref } from 'react'
import type { Checkout, NextAction } from '#contract/customer/checkout-calls.ts'
import type { FieldErrors } from '#domain/shared/validators.ts'
import type { AddressInput, CheckoutFormValues } from '../form/checkout-form-values.ts'
import type { Authentication } from '../payment/payment-states.ts'
import type { ChosenCard } from './chosen-card.ts'

/** A card as typed into a provider's fields on this page, by field. Lives in memory only: never stored, never sent. */
export type CardInput = Readonly<Record<string, string>>

/** Tokenizes the entered card; null if it is not valid yet, which the fields show. */
export type CardTokenizer = { tokenize: (form: CheckoutFormValues) => Promise<ChosenCard | null> }

export type CardFieldsProps = {
  payment: Checkout['payment']
  input: CardInput
  onInput: (input: CardInput) => void
  errors: FieldErrors
  /** The total, if known yet. */
  cents: number | undefined
  /** Another card was requested: the fields take the focus once they are loaded, then call `onFocused`. */
  focus: boolean
  onFocused: () => void
  ref: Ref<CardTokenizer>
}

export type BankStepProps = {
  action: NextAction
  cents: number | undefined
  onAnswer: (answer: Authentication) => void
}

/** What a wallet returns once its owner approves: their contact, address and card. */
export type WalletApproval = {
  customer: CheckoutFormValues['customer']
  billingAddress: AddressInput
  card: ChosenCard
}

export type WalletProps = { onApprove: (approval: WalletApproval) => void }

/** The client module of a payment provider. Its components are loaded on demand, except small ones. */
export type CardProvider = {
  /** Whether cards can be taken with this key and account. */
  acceptsCards: (payment: Checkout['payment']) => boolean
  /** Whether tokenizing needs the total, because a wallet shows the amount that will be charged. */
  needsTotal: boolean
  /** Shown above the card. */
  Notice?: ComponentType
  /** The errors of the input in fields of this page, by field. */
  validate: (input: CardInput, today: Date) => FieldErrors
  CardFields: ComponentType<CardFieldsProps>
  /** A button above the form that fills in contact, address and card at once. It loads when the page is idle. */
  Wallet?: ComponentType<WalletProps>
  /** The bank's authentication. */
  BankStep: ComponentType<BankStepProps>
}
