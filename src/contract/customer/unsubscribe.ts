import { boolean, object, pattern, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'

/** The token of an unsubscribe link: a studio, the hash of an address, and the signature of both. */
const UnsubscribeToken = pattern(string(), /^\d{1,15}-[\da-f]{64}-[\w-]{22}$/)

/**
 * Ends all reminders of a studio to the address of an email, for good. The link in the email is the only proof that it
 * needs. `wasDone`: whether the address was unsubscribed before.
 */
export const unsubscribe = call({
  method: 'POST',
  path: '/api/customer/reminders/unsubscribe',
  who: 'anyone',
  body: object({ token: UnsubscribeToken }),
  answer: type({ studioName: string(), wasDone: boolean() }),
  problems: ['not-found'],
})
