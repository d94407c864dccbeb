import type { CartKey } from '#local/store/database.ts'
import { createSignal, useSignal } from '#platform/signal.ts'

/** A card the provider turned into a token. Dies with the tab; only a payment writes the token down, and nothing the number. */
export type ChosenCard = { token: string; ending: string }

/**
 * `failedBefore`: the last card was declined, so that the provider has to make a fresh payment method. `wanted`: the customer asked
 * for another card, and is about to be led to its fields.
 */
type CardOfCart = { cart: string; card: ChosenCard | null; failedBefore: boolean; wanted: boolean }

const nameOf = ({ jobId, orderMethod }: CartKey): string => `${jobId} ${orderMethod}`
const none = { card: null, failedBefore: false, wanted: false }
const chosen = createSignal<CardOfCart>({ cart: '', ...none })

/** The card of this cart's checkout; a card given for one cart is not used for another. */
export const useChosenCard = (key: CartKey): Omit<CardOfCart, 'cart'> => {
  const { cart, ...state } = useSignal(chosen)
  return cart === nameOf(key) ? state : none
}

const change = (key: CartKey, state: Partial<Omit<CardOfCart, 'cart'>>): void => {
  const cart = nameOf(key)
  const before = chosen.current()
  chosen.set({ ...(before.cart === cart ? before : none), ...state, cart })
}

export const chooseCard = (key: CartKey, card: ChosenCard): void => change(key, { card })

/** The customer takes another card. */
export const requestAnotherCard = (key: CartKey): void => change(key, { card: null, wanted: true })

/** The customer stands before the card fields. */
export const cardFieldsFocused = (key: CartKey): void => change(key, { wanted: false })

/** The card was declined: it is not offered again. */
export const markCardDeclined = (key: CartKey): void => change(key, { card: null, failedBefore: true })

/** Ordered: the next checkout starts without a card. */
export const clearCard = (key: CartKey): void => change(key, none)
