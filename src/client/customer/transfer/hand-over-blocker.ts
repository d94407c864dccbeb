import type { CartStatus } from '#local/store/cart-status.ts'

/**
 * Why a cart cannot be handed over yet; `canRetry` if retrying may help. Worded differently from the page header, which
 * is announced too.
 */
export type HandOverBlocker = { title: string; message: string; canRetry: boolean }

/**
 * The blocker of a hand-over; null if the server has everything. The other device loads the server's cart, which lacks
 * unsent changes.
 */
export const handOverBlocker = (cart: CartStatus['kind'], online: boolean): HandOverBlocker | null => {
  if (cart === 'attention')
    return {
      title: 'Check your cart first',
      message: 'Something in it needs your attention.',
      canRetry: false,
    }
  if (!online) {
    const message =
      cart === 'sent' || cart === 'empty'
        ? 'Your cart is saved. The code appears once you’re online.'
        : 'Your cart is on this phone only. You can move it once you’re online.'
    return { title: 'Making a code needs a connection', message, canRetry: true }
  }
  if (cart === 'saved' || cart === 'sending')
    return {
      title: 'Sending your cart first',
      message: 'Some of it is on this phone only. The code appears once everything is saved online.',
      canRetry: true,
    }
  return null
}
