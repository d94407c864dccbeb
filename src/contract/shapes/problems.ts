// Exported separately, so that client code can use these without loading the whole table.
export const codeNeededMessage = 'Please enter the event’s code first'
export const refusedMessage = 'This cannot be done as it stands'
export const slowDownMessage = 'Too many tries. Please wait a moment'

/** All problems of calls: status and default message. */
export const problems = {
  'bad-request': { status: 400, sentence: 'Something in this request is not as it should be' },
  'not-signed-in': { status: 401, sentence: 'Please log in' },
  'authentication-failed': { status: 401, sentence: 'Failed to authenticate' },
  'invalid-token': { status: 401, sentence: 'Invalid token' },
  'session-unknown': { status: 401, sentence: 'This visit is no longer known here. Please enter the code again' },
  'not-allowed': { status: 403, sentence: 'You may not do this' },
  'code-needed': { status: 403, sentence: codeNeededMessage },
  'own-code-needed': { status: 403, sentence: 'Please enter your child’s own code. This event has no search by name' },
  'grant-needed': { status: 403, sentence: 'Please choose and confirm this person first' },
  'not-found': { status: 404, sentence: 'We could not find this' },
  conflict: { status: 409, sentence: 'Somebody changed this in the meantime. Look at the newest and try again' },
  'own-cart': { status: 409, sentence: 'This device has a cart of its own' },
  'in-flight': { status: 409, sentence: 'This is still being worked on' },
  'too-large': { status: 413, sentence: 'This is larger than we can take' },
  'unsupported-media': { status: 415, sentence: 'We cannot read this kind of content' },
  refused: { status: 422, sentence: refusedMessage },
  'key-reused': { status: 422, sentence: 'This was sent before with other content' },
  'prices-changed': {
    status: 422,
    sentence: 'The studio changed something since you last looked. Please look over your cart',
  },
  'totals-changed': { status: 422, sentence: 'The total changed since you last looked. Please look it over' },
  'cart-incomplete': { status: 422, sentence: 'Something in your cart is not finished yet' },
  'payment-declined': { status: 422, sentence: 'The card was declined' },
  'slow-down': { status: 429, sentence: slowDownMessage },
  maintenance: { status: 503, sentence: 'We will be back in a moment' },
  unexpected: { status: 500, sentence: 'An error occurred' },
} as const satisfies Record<string, { status: number; sentence: string }>

export type ProblemName = keyof typeof problems
