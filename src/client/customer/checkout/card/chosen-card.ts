import type { CartKey } from '#local/store/rows.ts'
import { createSignal, useSignal } from '#platform/signal.ts'

/**
 * A card tokenized by the provider, held in memory only. Only a payment attempt stores the token; the card number is
 * never stored.
 */
export type ChosenCard = {
  token: string
  ending: string
  /** The largest amount that may be charged, because its owner approved it in a wallet. */
  approvedCents?: number
}

/** Whether the total is larger than what the owner of the card approved. */
export const exceedsApproval = ({ approvedCents }: ChosenCard, totalCents: number): boolean =>
  approvedCents !== undefined && totalCents > approvedCents

/**
 * `failedBefore`: the last card was declined, so the provider must create a new payment method. `isRequested`: the
 * customer asked for another card, and its fields are about to get the focus.
 */
type CardOfCart = { cart: string; card: ChosenCard | null; failedBefore: boolean; isRequested: boolean }

const cartIdOf = ({ jobId, orderMethod }: CartKey): string => `${jobId} ${orderMethod}`
const noCard = { card: null, failedBefore: false, isRequested: false }
const chosen = createSignal<CardOfCart>({ cart: '', ...noCard })

/** The card of this cart's checkout. A card entered for one cart is never used for another. */
export const useChosenCard = (key: CartKey): Omit<CardOfCart, 'cart'> => {
  const { cart, ...state } = useSignal(chosen)
  return cart === cartIdOf(key) ? state : noCard
}

const updateCard = (key: CartKey, state: Partial<Omit<CardOfCart, 'cart'>>): void => {
  const cart = cartIdOf(key)
  const before = chosen.current()
  chosen.set({ ...(before.cart === cart ? before : noCard), ...state, cart })
}

export const chooseCard = (key: CartKey, card: ChosenCard): void => updateCard(key, { card })

/** The customer wants to use another card. */
export const requestAnotherCard = (key: CartKey): void => updateCard(key, { card: null, isRequested: true })

/** The card cannot be used any more. */
export const dropCard = (key: CartKey): void => updateCard(key, { card: null })

/** The card fields have received the focus, which completes the request for another card. */
export const markCardFieldsFocused = (key: CartKey): void => updateCard(key, { isRequested: false })

/** The card was declined: it is not offered again. */
export const markCardDeclined = (key: CartKey): void => updateCard(key, { card: null, failedBefore: true })

/** The order was placed: the next checkout starts without a card. */
export const clearCard = (key: CartKey): void => updateCard(key, noCard)
