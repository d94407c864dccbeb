/** The kinds of order errors: failures that stay open until they are resolved. */
export const orderErrorKinds = [
  'payment',
  'late-payment',
  'refund',
  'packet',
  'email',
  'image',
  'download',
  'background-job',
] as const
export type OrderErrorKind = (typeof orderErrorKinds)[number]

/** The names of the kinds on screens. */
export const orderErrorKindNames: Readonly<Record<OrderErrorKind, string>> = {
  payment: 'Payment without an outcome',
  'late-payment': 'Payment without an order',
  refund: 'Refund not made',
  packet: 'Order not sent to the lab',
  email: 'Email not delivered',
  image: 'Broken image',
  download: 'Download without a file',
  'background-job': 'Background work failed',
}

/** An open error waits; an ignored one is hidden until its source fails again. */
export const orderErrorStates = ['open', 'ignored'] as const
export type OrderErrorState = (typeof orderErrorStates)[number]

/** The number of errors that one call retries or ignores. */
export const maxOrderErrorsPerCall = 200
