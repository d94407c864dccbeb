import { boolean, literal, optional, string, type } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { Nothing } from '../shapes/primitives.ts'

/**
 * Responds once the server is ready, and during maintenance too: all other calls then return 503, and this one reports
 * it.
 */
export const getHealth = {
  method: 'GET',
  path: '/api/health',
  who: 'anyone',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  answer: type({ status: literal('ok'), build: string(), maintenance: optional(boolean()) }),
  problems: ['unexpected'],
} satisfies AnyCall
