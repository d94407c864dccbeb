// Exported separately, so that client code can use these without loading the whole table.
export const codeNeededMessage = 'Please enter the event’s code first'
export const refusedMessage = 'This can’t be done as it is'
export const slowDownMessage = 'Too many tries. Please wait a moment'

/** All problems of calls: status and default message. */
export const problems = {
  'bad-request': { status: 400, message: 'Something in this request is not valid' },
  'not-signed-in': { status: 401, message: 'Please log in' },
  'authentication-failed': { status: 401, message: 'Failed to authenticate' },
  'invalid-token': { status: 401, message: 'Invalid token' },
  'session-unknown': { status: 401, message: 'Your session has ended. Please enter the code again' },
  'not-allowed': { status: 403, message: 'You may not do this' },
  'support-access-needed': {
    status: 403,
    message: 'You need the consent of this studio’s owner, or a reason, to see its data',
  },
  'code-needed': { status: 403, message: codeNeededMessage },
  'own-code-needed': { status: 403, message: 'Please enter your child’s own code. This event has no search by name' },
  'grant-needed': { status: 403, message: 'Please choose and confirm this child first' },
  'not-found': { status: 404, message: 'We could not find this' },
  conflict: { status: 409, message: 'Someone changed this in the meantime. Check the latest version and try again' },
  'own-cart': { status: 409, message: 'This device has a cart of its own' },
  'in-flight': { status: 409, message: 'This is still in progress' },
  'too-large': { status: 413, message: 'This is larger than we can take' },
  'unsupported-media': { status: 415, message: 'We can’t read this kind of content' },
  refused: { status: 422, message: refusedMessage },
  'image-chosen': { status: 422, message: 'A customer chose this image' },
  'key-reused': { status: 422, message: 'This was sent before with other content' },
  'prices-changed': {
    status: 422,
    message: 'The studio changed something since you last looked. Please check your cart',
  },
  'totals-changed': { status: 422, message: 'The total changed since you last looked. Please check it' },
  'cart-incomplete': { status: 422, message: 'Something in your cart is not finished yet' },
  'payment-declined': { status: 422, message: 'The card was declined' },
  'slow-down': { status: 429, message: slowDownMessage },
  maintenance: { status: 503, message: 'We’ll be back in a moment' },
  unexpected: { status: 500, message: 'An error occurred' },
} as const satisfies Record<string, { status: number; message: string }>

export type ProblemName = keyof typeof problems
