import type { ComponentType, Ref } from 'react'
import type { Checkout, NextAction } from '#contract/customer/checkout-calls.ts'
import type { Totals } from '#contract/shapes/order-structs.ts'
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

/** The part of an address that determines tax and shipping. Wallets give only this before their owner approves. */
export type Place = Pick<AddressInput, 'city' | 'state' | 'zip'>

/** The amounts that a wallet shows, in cents. */
export type WalletAmounts = Pick<Totals, 'shippingCents' | 'taxCents' | 'totalCents'> & {
  /** How the order is delivered; undefined for downloads. */
  deliveryName: string | undefined
}

/** What a wallet returns once its owner approves: their contact, addresses and card. */
export type WalletApproval = {
  customer: CheckoutFormValues['customer']
  billingAddress: AddressInput
  /** The address whose place was priced; undefined if it is the billing address. */
  shippingAddress?: AddressInput
  card: ChosenCard
}

export type WalletProps = {
  payment: Checkout['payment']
  /** The amounts for the form as it is; undefined while they are calculated. */
  amounts: WalletAmounts | undefined
  /** Resolves to the amounts for an order to this place, which the form shows too; to null if they cannot be calculated. */
  priceAt: (place: Place) => Promise<WalletAmounts | null>
  /** Called once there is a wallet on this device. Until then nothing is shown. */
  onAvailable: () => void
  /** The wallet was tapped before there were amounts: says why. */
  onUnpriced: () => void
  onApprove: (approval: WalletApproval) => void
  /** Its owner did not approve. */
  onCancel: () => void
}

/** The client module of a payment provider. Its components are loaded on demand, except small ones. */
export type CardProvider = {
  /** Whether cards can be taken with this key and account. */
  acceptsCards: (payment: Checkout['payment']) => boolean
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
