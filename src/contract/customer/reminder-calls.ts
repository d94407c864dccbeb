import { array, enums, type Infer, nullable, object, size, string, type } from 'superstruct'
import { reminderKinds } from '#domain/reminders/reminder-kinds.ts'
import { call } from '../shapes/call.ts'
import { customerJobProblems, jobParams } from '../shapes/customer-call.ts'
import { Id, Nothing, shortText } from '../shapes/primitives.ts'

const ReminderKindName = enums(reminderKinds)

/** The reminders of a cart: the kinds that the customer can choose, and the opt-in; null if there is none, or it was stopped. */
export const CartReminder = type({
  offered: array(ReminderKindName),
  reminder: nullable(type({ email: string(), kinds: array(ReminderKindName) })),
})
export type CartReminder = Infer<typeof CartReminder>

export const getReminder = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId/cart/reminder',
  who: 'job',
  params: jobParams,
  query: object({ cartId: Id }),
  answer: CartReminder,
  problems: customerJobProblems,
})

/** Opts in to reminders of a cart of this session by email, or changes the opt-in. */
export const putReminder = call({
  ...getReminder,
  method: 'PUT',
  query: Nothing,
  body: object({ cartId: Id, email: shortText(254), kinds: size(array(ReminderKindName), 1, reminderKinds.length) }),
  problems: [...customerJobProblems, 'refused', 'in-flight', 'key-reused'],
})

/** Stops the reminders of a cart of this session. */
export const deleteReminder = call({ ...getReminder, method: 'DELETE' })
