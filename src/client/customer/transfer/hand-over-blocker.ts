import type { CartStatus } from '#local/store/cart-status.ts'

/**
 * Why a cart cannot be handed over yet; `canRetry` if retrying may help. Worded differently from the page header, which
 * is announced too.
 */
export type HandOverBlocker = { title: string; message: string; canRetry: boolean }

/**
 * Null if the server has everything. The other device loads the server's cart: unsent changes would be missing there.
 */
export const handOverBlocker = (cart: CartStatus['kind'], online: boolean): HandOverBlocker | null => {
  if (cart === 'attention')
    return {
      title: 'Look at your cart first',
      message: 'Something in it needs a decision from you. The cart says what.',
      canRetry: false,
    }
  if (!online) {
    const keptOnPhone =
      cart === 'sent' || cart === 'empty'
        ? 'Your cart is kept on this phone. The code comes as soon as there is one.'
        : 'Your cart is still on this phone only. It can go on once there is a connection.'
    return { title: 'Making a code needs a connection', message: keptOnPhone, canRetry: true }
  }
  if (cart === 'saved' || cart === 'sending')
    return {
      title: 'Sending your cart first',
      message: 'Some of it is still on this phone only. The code comes as soon as everything is with the studio.',
      canRetry: true,
    }
  return null
}
