import { coerce, object, optional, string } from 'superstruct'
import { Id, OrderMethod, Slug } from './primitives.ts'

// What customer calls share: parameters, queries and problems.

/** Slugs are lower case, but a customer may type one in capitals from a printed card. */
export const slugParams = object({ slug: coerce(Slug, string(), (typed) => typed.toLowerCase()) })

export const jobParams = object({ jobId: Id })
/** If missing, the call is about the cart that the customer sees: the server chooses the method as the device does. */
export const orderMethodQuery = { orderMethod: optional(OrderMethod) }
export const customerJobProblems = ['session-unknown', 'code-needed', 'not-found'] as const
